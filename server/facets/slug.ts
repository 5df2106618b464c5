const slugCharactersMax = 100

/**
 * The slug that a name gives: lower case, in compatibility form, with a hyphen for every run of what is neither letter,
 * mark nor digit, and none at its ends. Undefined for a name that has nothing but such signs.
 */
export function slugOf(name: string): string | undefined {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  const slug = [...(words ?? []).join('-')].slice(0, slugCharactersMax).join('').replace(/-$/, '')
  return slug === '' ? undefined : slug
}
