/**
 * Attribute keys with a typed path in `spans.attributes`. Reading one costs a sixth of reading any other key
 * (docs/decisions/0001-spans-table.md). They are the keys of facets and of common semantic conventions. The migrations
 * declare the same paths, which a test checks. Adding a key requires a migration that changes the type of the column.
 */
export const hotAttributeKeys: ReadonlySet<string> = new Set([
  'io.kind',
  'io.role',
  'http.route',
  'http.method',
  'http.status_code',
  'http.request.method',
  'http.response.status_code',
  'url.path',
  'server.address',
  'net.peer.name',
  'peer.service',
  'rpc.system',
  'rpc.service',
  'rpc.method',
  'messaging.system',
  'messaging.destination.name',
  'messaging.operation',
  'db.system',
  'db.name',
  'db.operation',
  'db.sql.table',
  'error.type',
  'file.name',
  'transfer.protocol',
  'transfer.source.host',
  'transfer.source.path',
])
