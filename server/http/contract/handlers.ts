import type { operations } from '../../../openapi/types.ts'
import type { Caller } from '../../auth/caller.ts'
import type { ByteStream, JsonStream } from './json-stream.ts'

/**
 * Every operation that this server serves. `postAlert` is excluded: it is the webhook of the document and is served by
 * receivers.
 */
export type OperationId = Exclude<keyof operations & string, 'postAlert'>

/** Documented operations that bypass the validator: OTLP, health, metrics, the document and its reference. */
export const outsideOperationIds = [
  'ingestTraces',
  'ingestMetrics',
  'ingestLogs',
  'getHealth',
  'getReadiness',
  'getPrometheusMetrics',
  'getOpenapiDocument',
  'getApiReference',
] as const satisfies readonly OperationId[]

/** Operations that a handler serves; all are under `/api/v1/` or `/tempo/api/`. */
export type HandledOperationId = Exclude<OperationId, (typeof outsideOperationIds)[number]>

type ParametersIn<Id extends OperationId, In extends 'path' | 'query' | 'header'> =
  NonNullable<operations[Id]['parameters'][In]> extends never
    ? Readonly<Record<never, never>>
    : Readonly<NonNullable<operations[Id]['parameters'][In]>>

type JsonOf<Message> = Message extends { content: { 'application/json': infer Json } } ? Json : undefined

type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer RequestBody }
  ? JsonOf<RequestBody>
  : operations[Id] extends { requestBody?: infer RequestBody }
    ? JsonOf<NonNullable<RequestBody>> | undefined
    : undefined

/** The media types of the response 200. */
type MediaTypeOf<Id extends OperationId> = operations[Id]['responses'] extends { 200: { content: infer Content } }
  ? keyof Content & string
  : never

/**
 * A request that has been validated against the OpenAPI document, from an authenticated caller with a sufficient role.
 * Handlers need not check either again.
 */
export type HandlerRequest<Id extends OperationId = OperationId> = AnyRequest<Id> &
  (Id extends NegotiatedOperationId ? NegotiatedRequest<Id> : unknown)

interface NegotiatedRequest<Id extends OperationId> {
  /** The media type that the client prefers, of those of the response. */
  readonly mediaType: MediaTypeOf<Id>
}

interface AnyRequest<Id extends OperationId> {
  readonly caller: Caller
  readonly path: ParametersIn<Id, 'path'>
  readonly query: ParametersIn<Id, 'query'>
  /** The header parameters that the document declares, keyed by their names as the document spells them. */
  readonly headers: ParametersIn<Id, 'header'>
  readonly body: Body<Id>
  /** Aborts when the client disconnects before the response is sent. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** The id of the operation in the document. */
  readonly operation: string
}

/** Operations whose responses can be too large to be held as a whole. */
export type StreamedOperationId = 'getMessage' | 'getMessageSkeleton' | 'queryMessageSkeleton'

/** Operations whose responses are streams of the media type that `Accept` prefers. */
export type NegotiatedOperationId =
  | 'exportMessages'
  | 'exportLogRecords'
  | 'getMessageOtlp'
  | 'getTempoEcho'
  | 'getTempoTrace'
  | 'getTempoTraceBatches'

type SuccessStatus = 200 | 201 | 202 | 204

/** A success response that the document declares. Handlers throw every other response as a `Problem`. */
export type HandlerResult<Id extends OperationId = OperationId> = Id extends NegotiatedOperationId
  ? { readonly status: 200; readonly headers?: Readonly<Record<string, string>>; readonly stream: ByteStream }
  : DocumentedResult<Id>

type DocumentedResult<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & SuccessStatus]: JsonOf<
    operations[Id]['responses'][Status]
  > extends infer Json
    ? {
        readonly status: Status
        readonly headers?: Readonly<Record<string, string>>
      } & ([Json] extends [undefined]
        ? { readonly body?: undefined }
        : Id extends StreamedOperationId
          ? { readonly stream: JsonStream<Json> }
          : { readonly body: Json })
    : never
}[keyof operations[Id]['responses'] & SuccessStatus]

export type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
) => Promise<HandlerResult<Id>> | HandlerResult<Id>

/** Handlers by operationId. */
export type Handlers<Ids extends HandledOperationId = HandledOperationId> = {
  readonly [Id in Ids]: Handler<Id>
}
