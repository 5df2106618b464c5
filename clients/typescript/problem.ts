import type { components } from '../../openapi/types.ts'

/** A problem document, as the server answers every failed request. */
export type ProblemDocument = components['schemas']['Problem']

/** A request that the server refused. Programs should rely on `code`, which is stable. */
export class TracefoldProblem extends Error {
  override readonly name = 'TracefoldProblem'
  readonly problem: ProblemDocument
  /** The `X-Request-Id` of the response, which the log of the server contains. */
  readonly requestId: string | undefined

  constructor(problem: ProblemDocument, requestId: string | undefined) {
    super(problem.detail)
    this.problem = problem
    this.requestId = requestId
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

  constructor(status: number, url: string) {
    super(`${url} answered ${status} without a problem document.`)
    this.status = status
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
  if (isProblem(error)) throw new TracefoldProblem(error, response.headers.get('x-request-id') ?? undefined)
  throw new UnexpectedResponse(response.status, response.url)
}

function isProblem(error: unknown): error is ProblemDocument {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error && 'status' in error
}
