import { serviceFits } from '#sql'
import type { Caller } from '../auth/caller.ts'
import { notFound } from '../problem/problem.ts'
import type { GrantedSlices } from '../telemetry/scope.ts'

/** Which services a caller may know of: a restricted one those that fit a rule of an integration granted to it. */
export type ServiceAccess = (caller: Caller) => Promise<(service: string) => boolean>

export function serviceAccessBy(granted: GrantedSlices): ServiceAccess {
  return async (caller) => {
    if (caller.role !== 'restricted') return () => true
    const rules = (await granted(caller)).flatMap((slice) => slice.rules)
    return (service) => rules.some((rule) => serviceFits(rule.service, service))
  }
}

/** @throws Problem 404 for a service that the caller may not know of */
export async function requireService(access: ServiceAccess, caller: Caller, service: string): Promise<void> {
  const isKnown = await access(caller)
  if (!isKnown(service)) throw notFound('service', service)
}
