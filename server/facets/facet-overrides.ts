import { type FieldFault, refusedFields, unknownAt } from '../problem/problem.ts'
import { byCodePoint } from '../problem/record-input.ts'
import { builtInSlugs, coreSlug } from './built-in.ts'
import { noOverrides, type Overrides } from './service-facet.ts'
import type { ServiceRecords } from './service-records.ts'

export const overrideRecords: ServiceRecords<Overrides> = {
  table: 'facet_overrides',
  empty: noOverrides,
  isEmpty: ({ include, exclude }) => include.length === 0 && exclude.length === 0,
  checkTogether() {},
}

/** Each slug once, in one order, so that the same overrides are always the same text. */
export function normalized({ include, exclude }: Overrides): Overrides {
  return { include: uniqueSlugs(include), exclude: uniqueSlugs(exclude) }
}

function uniqueSlugs(slugs: readonly string[]): string[] {
  return [...new Set(slugs)].sort(byCodePoint)
}

/** @throws Problem 422 with every slug that names no facet, and every exclusion of `core` */
export function checkOverrides({ include, exclude }: Overrides, customSlugs: readonly string[]): void {
  const known = new Set([...builtInSlugs, ...customSlugs])
  const unknownIn = (list: 'include' | 'exclude', slugs: readonly string[]): FieldFault[] =>
    slugs.flatMap((slug, index) => (known.has(slug) ? [] : [unknownAt(`/${list}/${index}`, 'facet', slug)]))
  const faults = [...unknownIn('include', include), ...unknownIn('exclude', exclude), ...coreExclusions(exclude, '')]
  if (faults.length > 0) throw refusedFields(faults)
}

/** `pointer` is where the overrides stand in the request's body. */
export function coreExclusions(exclude: readonly string[], pointer: string): FieldFault[] {
  const message = 'Every service has `core`; it cannot be excluded.'
  return exclude.flatMap((slug, index) =>
    slug === coreSlug ? [{ pointer: `${pointer}/exclude/${index}`, code: 'core_excluded', message }] : [],
  )
}
