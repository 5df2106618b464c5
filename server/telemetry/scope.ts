import type { Scope, Slice, TimeWindow } from '#sql'
import type { Caller } from '../auth/caller.ts'

/** The slices granted to a restricted caller. */
export type GrantedSlices = (caller: Caller) => Promise<readonly Slice[]>

/** Finds an integration of the caller's organization by its id; a restricted caller finds only those granted to it. */
export type FindSlice = (caller: Caller, id: string) => Promise<NamedSlice | undefined>

export interface NamedSlice {
  readonly name: string
  readonly slice: Slice
}

/**
 * What a caller may see in a window: every reader of telemetry gets its scope here, and a query without one is not
 * rendered. A restricted caller without grants sees nothing.
 */
export async function scopeOf(caller: Caller, window: TimeWindow, granted: GrantedSlices): Promise<Scope> {
  const scope = { org: caller.org, window }
  return caller.role === 'restricted' ? { ...scope, granted: await granted(caller) } : scope
}
