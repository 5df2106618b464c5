import type { IoKind, IoPair, IoRole } from '#sql'
import { builtInWidgets, type Widget } from './widgets/definitions.ts'

/** A facet that every organization has. Its slug is also its name. */
export interface BuiltInFacet {
  readonly slug: string
  readonly description: string
  /**
   * The pair of `io.kind` and `io.role` that spans of the facet have; null for facets that are detected in another way.
   */
  readonly definition: IoPair | null
  /** The attributes that describe its spans best, most important first. */
  readonly keyAttributes: readonly string[]
  readonly widgets: readonly Widget[]
}

/** The facet of every service. Overrides cannot exclude it. */
export const coreSlug = 'core'

/** Detected for services with spans of kind Internal whose spans have no pair. */
const workerSlug = 'worker'

/**
 * Key attributes for each kind. Each list starts with the main attributes, followed by their names in current semantic
 * conventions.
 */
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

/** The facets that are detected from a pair, in the order of dashboard sections. */
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

/** The built-in facets in the order of dashboard sections. CONTRIBUTING.md lists what a new one needs. */
export const builtInFacets: readonly BuiltInFacet[] = [
  facet(coreSlug, 'Always-on overview (spans, errors, throughput)'),
  ...ofPairs,
  facet(workerSlug, 'Background work only'),
]

export const builtInSlugs: ReadonlySet<string> = new Set(builtInFacets.map(({ slug }) => slug))

/** Returns the slugs of the facets that a service with this profile has, in the order of dashboard sections. */
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
  return builtInWidgets.get(slug) ?? []
}
