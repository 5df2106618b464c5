import type { Attribute, WidgetGrouping } from '#sql'

export interface NamedGrouping extends WidgetGrouping {
  /** The name of its column in a table. */
  readonly name: string
}

/**
 * The groupings of widgets. Each reads the first of its attributes that a span carries; the names are those of older
 * and newer semantic conventions.
 */
export const groupings = {
  method: byText('method', 'http.method', 'http.request.method'),
  route: byText('route', 'http.route', 'url.template', 'url.path', 'http.target'),
  statusClass: {
    name: 'status class',
    attributes: any('http.status_code', 'http.response.status_code'),
    reading: 'status_class',
  },
  peer: byText('peer', 'net.peer.name', 'server.address', 'peer.service'),
  destination: byText('destination', 'messaging.destination.name', 'messaging.destination'),
  messagingSystem: byText('system', 'messaging.system'),
  messagingOperation: byText(
    'operation',
    ...['messaging.operation', 'messaging.operation.type', 'messaging.operation.name'],
  ),
  file: byText('file', 'file.name', 'file.path'),
  host: byText('host', 'transfer.source.host', 'server.address', 'net.peer.name'),
  protocol: byText('protocol', 'transfer.protocol', 'network.protocol.name'),
  databaseSystem: byText('system', 'db.system', 'db.system.name'),
  database: byText('database', 'db.name', 'db.namespace'),
  databaseOperation: byText('operation', 'db.operation', 'db.operation.name'),
  table: byText('table', 'db.sql.table', 'db.collection.name'),
  name: { name: 'name', attributes: [{ source: 'intrinsic', key: 'name' }], reading: 'text' },
} as const satisfies Readonly<Record<string, NamedGrouping>>

function byText(name: string, ...keys: readonly string[]): NamedGrouping {
  return { name, attributes: any(...keys), reading: 'text' }
}

function any(...keys: readonly string[]): Attribute[] {
  return keys.map((key) => ({ source: 'any', key }))
}
