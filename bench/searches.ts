import type { Api } from './api.ts'
import type { Ask, HttpBench } from './http-figure.ts'
import { type QuestionName, type Questions, questionNames } from './questions.ts'

/** Measures a page of 50 and an exact count for every question, with one client (`measureOneClient`) or several. */
export async function measureSearches<Figure>(
  measure: (bench: HttpBench, name: string, ask: Ask) => Promise<Figure>,
  bench: HttpBench,
  api: Api,
  { searches }: Questions,
  names: readonly QuestionName[] = questionNames,
): Promise<{ readonly pages: Figure[]; readonly counts: Figure[] }> {
  const pages: Figure[] = []
  const counts: Figure[] = []
  for (const name of names) {
    const search = searches[name]
    pages.push(await measure(bench, name, () => api.post('/messages/search', search)))
    counts.push(await measure(bench, name, () => api.post('/messages/count', search)))
  }
  return { pages, counts }
}
