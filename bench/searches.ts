import type { Api } from './api.ts'
import { type HttpFigure, measureHttp } from './http-figure.ts'
import { type QuestionName, type Questions, questionNames } from './questions.ts'
import type { Bench } from './section.ts'

/** Measures a page of 50 and an exact count for every question. */
export async function measureSearches(
  bench: Bench,
  api: Api,
  { searches }: Questions,
  names: readonly QuestionName[] = questionNames,
): Promise<{ readonly pages: HttpFigure[]; readonly counts: HttpFigure[] }> {
  const pages: HttpFigure[] = []
  const counts: HttpFigure[] = []
  for (const name of names) {
    const search = searches[name]
    pages.push(await measureHttp(bench, name, () => api.post('/messages/search', search)))
    counts.push(await measureHttp(bench, name, () => api.post('/messages/count', search)))
  }
  return { pages, counts }
}
