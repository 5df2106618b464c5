import { setTimeout as sleep } from 'node:timers/promises'
import { wireTypes } from '../../ingest/proto/message-table.ts'
import { MalformedBody } from '../../ingest/wire/body-errors.ts'
import { ProtobufReader } from '../../ingest/wire/protobuf-reader.ts'
import { ExitError } from '../../lifecycle/exit-codes.ts'
import { type Batch, batchOf, requestBody } from './batches.ts'
import { type Element, type FileEncoding, type ImportSignal, importSignals } from './otlp-file.ts'
import { messagesOf } from './protobuf-fields.ts'

export interface Sending {
  /** The address of the server, for example `http://127.0.0.1:4318`. */
  readonly url: string
  readonly token: string
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** Seconds for which a request is retried before the import gives up. */
  readonly retrySecondsMax: number
  /** Receives the reason of every wait, to explain to the user why the import does not progress. */
  readonly onRetry: (reason: string) => void
}

/** The outcome of a batch, with the server's reasons for rejected records. */
export interface BatchOutcome {
  readonly accepted: number
  readonly rejected: number
  readonly reasons: readonly string[]
}

const retryableStatuses = new Set([429, 502, 503, 504])
/** The server stores nothing of a request that is malformed or too large, though the reason may be one element. */
const refusedWholeStatuses = new Set([400, 413])
const firstWaitMs = 250
const waitMsMax = 15_000

/** A batch to send, and the key by which the server tells it from other batches with the same records. */
export interface KeyedBatch {
  readonly batch: Batch
  readonly encoding: FileEncoding
  readonly idempotencyKey: string
}

/**
 * Sends a batch until the server has accepted it or rejected it for good.
 * @throws ExitError when the import cannot continue
 */
export async function sendBatch(keyed: KeyedBatch, sending: Sending): Promise<BatchOutcome> {
  const deadline = Date.now() + sending.retrySecondsMax * 1_000
  for (let attempt = 0; ; attempt++) {
    const answer = await post(keyed, sending)
    if (answer.kind === 'taken') return answer.outcome
    if (answer.kind === 'refused') return sendBisected(keyed, sending, answer.reason)
    const waitMs = answer.waitMs ?? jittered(Math.min(waitMsMax, firstWaitMs * 2 ** attempt))
    if (Date.now() + waitMs > deadline) {
      throw new ExitError('unreachable', `Gave up after ${sending.retrySecondsMax} s: ${answer.reason}`)
    }
    sending.onRetry(answer.reason)
    await sleep(waitMs, undefined, { signal: sending.signal })
  }
}

type BatchResponse =
  | { readonly kind: 'taken'; readonly outcome: BatchOutcome }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'again'; readonly reason: string; readonly waitMs: number | undefined }

async function post(
  { batch, encoding, idempotencyKey }: KeyedBatch,
  { url, token, fetch, signal }: Sending,
): Promise<BatchResponse> {
  const { body, contentType } = requestBody(batch, encoding)
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': contentType,
    'Idempotency-Key': idempotencyKey,
  }
  try {
    const response = await fetch(`${url}${importSignals[batch.signal].path}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal,
    })
    return await readResponse(response, batch)
  } catch (error) {
    if (error instanceof ExitError || signal.aborted) throw error
    return { kind: 'again', reason: `no response from ${new URL(url).origin} (${causeOf(error)})`, waitMs: undefined }
  }
}

async function readResponse(response: Response, batch: Batch): Promise<BatchResponse> {
  const content = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (response.ok) return { kind: 'taken', outcome: outcomeOf(batch, readAcknowledgement(response, content, batch)) }
  const reason = `the server answered ${response.status}: ${readStatusMessage(content, isJson)}`
  if (response.status === 401 || response.status === 403) throw new ExitError('unauthorized', reason)
  if (response.status === 404) throw new ExitError('usage', `${response.url} is not an OTLP endpoint: ${reason}`)
  if (refusedWholeStatuses.has(response.status)) return { kind: 'refused', reason }
  if (retryableStatuses.has(response.status)) return { kind: 'again', reason, waitMs: retryAfterMs(response) }
  return { kind: 'taken', outcome: { accepted: 0, rejected: batch.recordCount, reasons: [reason] } }
}

/** @throws ExitError when the response does not come from an OTLP receiver, such as a page with the status 200 */
function readAcknowledgement(response: Response, content: Buffer, { signal }: Batch): PartialSuccess {
  const type = response.headers.get('content-type') ?? 'no content type'
  try {
    return readPartialSuccess(content, type.includes('json'), signal)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof MalformedBody)) throw error
    throw new ExitError('usage', `${response.url} is not an OTLP endpoint: it answered ${response.status} with ${type}`)
  }
}

/**
 * Splits a batch that the server refuses as a whole into halves, down to single elements. An element that is still
 * refused counts as rejected.
 */
async function sendBisected(keyed: KeyedBatch, sending: Sending, reason: string): Promise<BatchOutcome> {
  const { batch, encoding, idempotencyKey } = keyed
  if (batch.elements.length < 2) return { accepted: 0, rejected: batch.recordCount, reasons: [reason] }
  const middle = batch.elements.length / 2
  const half = (elements: readonly Element[], name: string) =>
    sendBatch({ batch: batchOf(elements), encoding, idempotencyKey: `${idempotencyKey}.${name}` }, sending)
  const first = await half(batch.elements.slice(0, middle), '1')
  const second = await half(batch.elements.slice(middle), '2')
  return {
    accepted: first.accepted + second.accepted,
    rejected: first.rejected + second.rejected,
    reasons: [...first.reasons, ...second.reasons],
  }
}

function outcomeOf({ recordCount }: Batch, { rejected, message }: PartialSuccess): BatchOutcome {
  return { accepted: recordCount - rejected, rejected, reasons: rejected > 0 ? [message] : [] }
}

/** Randomizes a pause, so that concurrent requests do not retry at the same instant. */
function jittered(ms: number): number {
  return Math.round(ms * (0.5 + Math.random() / 2))
}

function retryAfterMs(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

interface PartialSuccess {
  readonly rejected: number
  readonly message: string
}

const messageLengthMax = 300

/**
 * Reads the response to an export.
 * @throws MalformedBody or SyntaxError when the response does not come from an OTLP receiver
 */
function readPartialSuccess(content: Buffer, isJson: boolean, signal: ImportSignal): PartialSuccess {
  if (content.length === 0) return { rejected: 0, message: '' }
  if (isJson) return readJsonPartialSuccess(content, signal)
  const [partial] = messagesOf(content, 1)
  const reader = new ProtobufReader(partial ?? Buffer.alloc(0))
  let rejected = 0
  while (reader.position < reader.bytes.length) {
    const tag = reader.tag(reader.bytes.length)
    if (tag === ((1 << 3) | wireTypes.varint)) rejected = reader.varint(reader.bytes.length)
    else reader.skip(tag, reader.bytes.length)
  }
  return { rejected, message: messageText(reader.bytes) }
}

/** In JSON of protobuf, a field that is null is absent. */
function readJsonPartialSuccess(content: Buffer, signal: ImportSignal): PartialSuccess {
  const response = JSON.parse(content.toString()) as {
    partialSuccess?: { [name: string]: string | number | null | undefined; errorMessage?: string | null } | null
  } | null
  if (response === null) throw new MalformedBody('The response is null instead of an object.')
  const { partialSuccess } = response
  const rejected = Number(partialSuccess?.[importSignals[signal].rejected] ?? 0)
  return { rejected, message: partialSuccess?.errorMessage ?? '' }
}

/** Returns the message of a google.rpc.Status or of a problem document, or the start of any other response. */
function readStatusMessage(content: Buffer, isJson: boolean): string {
  try {
    if (!isJson) return messageText(content) || 'no reason given'
    const status = JSON.parse(content.toString()) as Record<string, unknown> | null
    return String(status?.message ?? status?.detail ?? status?.title ?? 'no reason given').slice(0, messageLengthMax)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof MalformedBody)) throw error
    return content.toString().slice(0, messageLengthMax)
  }
}

/** Returns field 2, which has the text for people in a google.rpc.Status as in a partial success. */
function messageText(message: Buffer): string {
  const [text] = messagesOf(message, 2)
  return text?.toString().slice(0, messageLengthMax) ?? ''
}
