import { createClient, TracefoldProblem, UnexpectedResponse } from '../../clients/typescript/client.ts'
import { type Answer, dataOf as dataOrProblemOf } from '../../clients/typescript/problem.ts'
import type { components } from '../../openapi/types.ts'

export { TracefoldProblem, UnexpectedResponse } from '../../clients/typescript/client.ts'

/**
 * The client of the API. The base address of the page is that of the server, also below a path. The session cookie
 * authenticates. Requests are not repeated automatically: pages say when the server is busy, and offer a retry.
 */
export const api = createClient({ url: new URL('.', document.baseURI).href, retry: { attempts: 1 } })

const callerHeader = 'Tracefold-Caller'
let shownCaller: string | undefined

/**
 * Makes all further requests name the person whom this tab shows as signed in. The tabs of a browser share the cookie,
 * so the server refuses these requests once another tab has signed in another person or organization.
 */
export function requestAs({ org, subject }: components['schemas']['Caller']): void {
  shownCaller = `${encodeURIComponent(org)}/${encodeURIComponent(subject)}`
}

api.use({
  onRequest({ request, schemaPath }) {
    // The request for the caller is exempt: a tab that shows another person must be able to find out who is signed in.
    if (shownCaller !== undefined && schemaPath !== '/api/v1/me') request.headers.set(callerHeader, shownCaller)
    return request
  },
})

/**
 * Returns the data of a response. Pages read its members without a check, so the response of something in between, such
 * as a proxy, must not become data.
 * @throws TracefoldProblem if the server refused the request
 * @throws UnexpectedResponse if the response is not from the server
 */
export async function dataOf<Data>(request: Promise<Answer<Data>> | Answer<Data>): Promise<NonNullable<Data>> {
  const answer = await request
  const data = await dataOrProblemOf(answer)
  if (data == null || isEmpty(data) || isPage(answer.response)) throw new UnexpectedResponse(answer.response)
  return data
}

/** Reports whether data cannot be from the API, whose responses are files, or objects with members. */
function isEmpty(data: object): boolean {
  return Array.isArray(data) || (data.constructor === Object && Object.keys(data).length === 0)
}

/** Reports whether a response is a page, which an export would save as its file. The API responds with none. */
function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true
}

/** Returns the status by which a request failed, or undefined where the server has not answered it. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof TracefoldProblem) return error.status
  return error instanceof UnexpectedResponse && error.status >= 400 ? error.status : undefined
}

/**
 * Returns the parameters of a request that changes a record. The server refuses it if the record has another version by
 * now.
 */
export function versionOf({ id, version }: { readonly id: string; readonly version: number }) {
  return { path: { id }, ...ifVersion(version) }
}

/** Returns the header that makes a change apply to one version of a record only. */
export function ifVersion(version: number) {
  return { header: { 'If-Match': `"${version}"` } }
}

/** Whether an error says that an address names no record: no record has its id, or it holds no valid id. */
export function isUnknownRecord(error: unknown): boolean {
  const hasNoId = error instanceof TracefoldProblem && error.errors.some(({ pointer }) => pointer === '#/path/id')
  return hasNoId || statusOf(error) === 404
}

/**
 * Waits for the answer to a deletion. A record that no longer exists is deleted, even if another person was first.
 * @throws TracefoldProblem, UnexpectedResponse if it is not deleted
 */
export async function deletionOf(answer: Parameters<typeof dataOf>[0]): Promise<void> {
  try {
    await dataOrProblemOf(answer)
  } catch (error) {
    if (statusOf(error) !== 404) throw error
  }
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  const headers = shownCaller === undefined ? {} : { [callerHeader]: shownCaller }
  const response = await fetch(new URL('logout', document.baseURI), { method: 'POST', headers })
  await dataOrProblemOf({ response, error: response.ok ? undefined : await response.json().catch(() => undefined) })
}
