/**
 * Attribute keys that have a typed path of their own in `spans.attributes`: reading one costs a sixth of what any other
 * key costs (docs/decisions/0001-spans-table.md). They are the keys of the facets and the usual semantic conventions.
 * The migrations declare the same paths, which a test checks; a key joins by a migration that changes the column type.
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
