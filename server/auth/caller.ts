/** Ordered from least to most, except `ingest`, which only sends OTLP. The claim value `editor` is read as `contributor`. */
export type Role = 'restricted' | 'viewer' | 'contributor' | 'admin' | 'ingest'

/** Who asks: made by `authenticate`, carried by every request, never built anywhere else. */
export interface Caller {
  readonly org: string
  readonly role: Role
  /** JWT: the `sub` claim. API key: `key:<id>`. */
  readonly subject: string
}
