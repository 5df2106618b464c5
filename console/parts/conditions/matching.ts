import type { Suggestion } from '../forms/suggestions.tsx'

const suggestionsMax = 40

/**
 * Returns the suggestions that match a text: the equal one first, then those that begin with it, then those that
 * contain it, without duplicates.
 */
export function matching(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const lower = typed.toLowerCase()
  const first = new Map<string, Suggestion>()
  for (const each of suggestions) if (!first.has(each.text)) first.set(each.text, each)
  const [beginning, containing]: [Suggestion[], Suggestion[]] = [[], []]
  for (const each of first.values()) {
    if (each.text === typed) beginning.unshift(each)
    else if (each.text.startsWith(typed)) beginning.push(each)
    else if (each.text.toLowerCase().includes(lower)) containing.push(each)
  }
  return [...beginning, ...containing].slice(0, suggestionsMax)
}
