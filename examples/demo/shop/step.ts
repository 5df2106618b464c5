/** The OTLP numbers of span kinds. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue>>

/** One step of a drawn message: a span without ids and times. */
export interface Step {
  readonly service: string
  readonly name: string
  readonly kind: keyof typeof spanKinds
  /** Duration of the step itself, without its children. */
  readonly ownMs: number
  readonly attributes: Attributes
  /** The message of a failed step. */
  readonly error?: string
  readonly children: readonly Step[]
  /** Delay of a consumer, which starts after its parent has ended. */
  readonly laterMs?: number
}

/** The optional properties of a step. */
export type StepDetails = Partial<Pick<Step, 'attributes' | 'error' | 'children' | 'laterMs' | 'ownMs'>>

function step(kind: Step['kind'], service: string, name: string, own: Attributes, details: StepDetails): Step {
  const { attributes = {}, children = [], ownMs = 1, ...rest } = details
  return { ...rest, service, name, kind, ownMs, children, attributes: { ...own, ...attributes } }
}

const io = (kind: string, role: 'input' | 'output') => ({ 'io.kind': kind, 'io.role': role })

export function httpServer(service: string, method: string, route: string, details: StepDetails): Step {
  const own = { ...io('http', 'input'), 'http.method': method, 'http.route': route, 'http.status_code': 200 }
  return step('server', service, `${method} ${route}`, own, details)
}

export function httpClient(service: string, method: string, peer: string, details: StepDetails): Step {
  const own = { ...io('http', 'output'), 'http.method': method, 'net.peer.name': peer, 'http.status_code': 200 }
  return step('client', service, `${method} ${peer}`, own, details)
}

/** A call between services: the client span and the server span below it. The details belong to the server span. */
export function call(from: string, to: string, method: string, route: string, details: StepDetails): Step {
  const server = httpServer(to, method, route, details)
  const status = server.attributes['http.status_code'] ?? 200
  const failure = details.error === undefined ? {} : { error: `${to} answered ${String(status)}` }
  return httpClient(from, method, to, { attributes: { 'http.status_code': status }, children: [server], ...failure })
}

export interface Database {
  readonly system: string
  readonly name: string
}

export function query(
  service: string,
  db: Database,
  operation: string,
  table: string,
  details: StepDetails = {},
): Step {
  const own = {
    ...io('db', 'output'),
    'db.system': db.system,
    'db.name': db.name,
    'db.operation': operation,
    'db.sql.table': table,
  }
  return step('client', service, `${operation} ${table}`, own, details)
}

type Broker = 'queue' | 'stream'
const brokers = { queue: 'rabbitmq', stream: 'kafka' } as const

export function publish(service: string, broker: Broker, destination: string, details: StepDetails): Step {
  const own = {
    ...io(broker, 'output'),
    'messaging.system': brokers[broker],
    'messaging.destination.name': destination,
    'messaging.operation': 'publish',
  }
  return step('producer', service, `publish ${destination}`, own, details)
}

export function consume(service: string, broker: Broker, destination: string, details: StepDetails): Step {
  const own = {
    ...io(broker, 'input'),
    'messaging.system': brokers[broker],
    'messaging.destination.name': destination,
    'messaging.operation': 'process',
  }
  return step('consumer', service, `process ${destination}`, own, details)
}

/** A consumer whose SDK follows the semantic conventions but does not set `io.kind` and `io.role`. */
export function consumeUnclassified(service: string, destination: string, details: StepDetails): Step {
  const own = { 'messaging.system': brokers.queue, 'messaging.destination.name': destination }
  return step('consumer', service, `process ${destination}`, { ...own, 'messaging.operation': 'process' }, details)
}

export function sendEmail(service: string, template: string, details: StepDetails): Step {
  return step('client', service, 'send email', { ...io('email', 'output'), 'email.template': template }, details)
}

export function file(service: string, role: 'input' | 'output', name: string, details: StepDetails): Step {
  const verb = role === 'input' ? 'receive file' : 'send file'
  return step('client', service, verb, { ...io('file', role), 'file.name': name }, details)
}

export function internal(service: string, name: string, details: StepDetails): Step {
  return step('internal', service, name, {}, details)
}
