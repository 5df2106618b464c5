import type { IoKind, IoPair, IoRole } from '#sql'
import { type BuiltInWidgets, builtInWidgets, type Widget } from './widgets/built-in-widgets.ts'

/** A facet of every organization. Its slug is also its name. */
export interface BuiltInFacet {
  readonly slug: string
  readonly description: string
  /** What its spans carry; null where it is detected in another way. */
  readonly definition: IoPair | null
  /** Attributes that say most about its spans, the most telling one first. */
  readonly keyAttributes: readonly string[]
  readonly widgets: readonly Widget[]
}

/** Every service has it, and no override takes it away. */
export const coreSlug = 'core'

/** Detected where a span has the kind Internal and none of the others is detected. */
const workerSlug = 'worker'

/** Each list begins with the names that the product gives, and goes on with what current semantic conventions call the same. */
const keyAttributesOf: Readonly<Record<IoKind, readonly string[]>> = {
  file: ['file.name', 'transfer.source.host', 'transfer.source.path', 'transfer.protocol', 'file.path', 'file.size'],
  http: [
    ...['http.route', 'http.method', 'http.status_code', 'net.peer.name'],
    ...['http.request.method', 'http.response.status_code', 'server.address', 'url.path'],
  ],
  queue: messaging(),
  stream: messaging(),
  db: [
    ...['db.system', 'db.name', 'db.operation', 'db.sql.table'],
    ...['db.system.name', 'db.namespace', 'db.operation.name', 'db.collection.name'],
  ],
  email: [],
}

function messaging(): readonly string[] {
  return [
    ...['messaging.system', 'messaging.destination.name', 'messaging.operation'],
    ...['messaging.operation.name', 'messaging.operation.type', 'messaging.consumer.group.name'],
  ]
}

/** In the order of the sections of a dashboard, but for `worker`, which comes last. */
const ofPairs = [
  facetOf('http', 'input', 'Handles inbound HTTP requests'),
  facetOf('http', 'output', 'Makes outbound HTTP calls'),
  facetOf('queue', 'input', 'Consumes messages from a queue or topic'),
  facetOf('queue', 'output', 'Publishes messages to a queue or topic'),
  facetOf('stream', 'input', 'Consumes from a data stream'),
  facetOf('stream', 'output', 'Produces to a data stream'),
  facetOf('file', 'input', 'Receives files (FTP, SFTP, SMB, local)'),
  facetOf('file', 'output', 'Sends files to a remote or share'),
  facetOf('db', 'output', 'Reads or writes a database'),
  facetOf('email', 'output', 'Sends email'),
]

/** The twelve facets that every organization has, in the order of the sections of a dashboard. */
export const builtInFacets: readonly BuiltInFacet[] = [
  facet(coreSlug, 'Always-on overview (spans, errors, throughput)'),
  ...ofPairs,
  facet(workerSlug, 'Background work only'),
]

export const builtInSlugs: ReadonlySet<string> = new Set(builtInFacets.map(({ slug }) => slug))

/** The built-in facets that these pairs and kinds of spans show, in the order of sections. */
export function detectFacets(profile: { readonly pairs: readonly IoPair[]; readonly hasInternal: boolean }): string[] {
  const shown = ofPairs.filter(({ definition }) =>
    profile.pairs.some(({ kind, role }) => definition?.kind === kind && definition.role === role),
  )
  const isWorker = shown.length === 0 && profile.hasInternal
  return [coreSlug, ...shown.map(({ slug }) => slug), ...(isWorker ? [workerSlug] : [])]
}

function facetOf(kind: IoKind, role: IoRole, description: string): BuiltInFacet {
  const slug = `${kind}-${role}`
  const widgets = widgetsOf(slug)
  return { slug, description, definition: { kind, role }, keyAttributes: keyAttributesOf[kind], widgets }
}

function facet(slug: string, description: string): BuiltInFacet {
  return { slug, description, definition: null, keyAttributes: [], widgets: widgetsOf(slug) }
}

function widgetsOf(slug: string): readonly Widget[] {
  const all: BuiltInWidgets = builtInWidgets
  return all[slug] ?? []
}
