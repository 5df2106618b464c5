import createClient from 'openapi-fetch'
import type { components, paths } from '../../openapi/types.ts'

export type Problem = components['schemas']['Problem']

/** The server refused a request. `problem` says why, and points at the invalid fields. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  readonly problem: Problem
  /** Seconds after which a retry may succeed, if the server named them. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter: number | undefined) {
    super(problem.detail)
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** The client of the API. The base address of the page is that of the server, also below a path. */
export const api = createClient<paths>({ baseUrl: new URL('.', document.baseURI).href.replace(/\/$/, '') })

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** Returns the data of an answer. @throws ApiFault for a problem */
export async function dataOf<Data>(answer: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer
  if (response.ok && data !== undefined && data !== null) return data
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  throw new ApiFault(asProblem(error, response), Number.isFinite(retryAfter) ? retryAfter : undefined)
}

/** Waits for an answer without data. @throws ApiFault for a problem */
export async function doneOf(answer: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await answer
  if (!response.ok) throw new ApiFault(asProblem(error, response), undefined)
}

/** A proxy in between may answer something else than a problem. */
function asProblem(error: unknown, { status, statusText }: Response): Problem {
  if (typeof error === 'object' && error !== null && 'code' in error) return error as Problem
  const detail = `The server answered ${status} ${statusText}.`
  return { type: 'about:blank', title: statusText, status, detail, code: 'internal' }
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  await fetch(new URL('logout', document.baseURI), { method: 'POST' })
}
