import type { components } from '../../openapi/types.ts'
import { retryAfterMs } from './retry.ts'

/** A problem document, as the server answers every failed request. */
export type ProblemDocument = components['schemas']['Problem']

/** A request that the server refused. Programs should rely on `code`, which is stable. */
export class TracefoldProblem extends Error {
  override readonly name = 'TracefoldProblem'
  readonly problem: ProblemDocument
  /** The `X-Request-Id` of the response, which the log of the server contains. */
  readonly requestId: string | undefined
  /** After how many seconds a retry may succeed, if the server said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: ProblemDocument, headers: Headers) {
    super(problem.detail)
    this.problem = problem
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = retryAfterSeconds(headers)
  }

  get status(): number {
    return this.problem.status
  }

  get code(): ProblemDocument['code'] {
    return this.problem.code
  }

  /** The invalid fields of the request; empty if the problem is about none. */
  get errors(): NonNullable<ProblemDocument['errors']> {
    return this.problem.errors ?? []
  }
}

/** A response that is no problem document, such as the error page of a proxy. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  readonly status: number
  /** After how many seconds a retry may succeed, if the response said so. */
  readonly retryAfterSeconds: number | undefined

  constructor({ status, url, headers }: Response) {
    super(`${url} answered ${status} without a problem document.`)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds(headers)
  }
}

/** What a request of openapi-fetch resolves with. */
export interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/**
 * Returns the data of an answer.
 * @throws TracefoldProblem if the server refused the request
 * @throws UnexpectedResponse if the error is no problem document
 */
export async function dataOf<Data>(request: Promise<Answer<Data>> | Answer<Data>): Promise<Data> {
  const { data, error, response } = await request
  if (response.ok) return data as Data
  if (isProblem(error)) throw new TracefoldProblem(error, response.headers)
  throw new UnexpectedResponse(response)
}

function retryAfterSeconds(headers: Headers): number | undefined {
  const ms = retryAfterMs(headers.get('retry-after'))
  return ms === undefined ? undefined : Math.ceil(ms / 1_000)
}

function isProblem(error: unknown): error is ProblemDocument {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error && 'status' in error
}
