import type { operations } from '../../openapi/types.ts'
import type { Caller } from '../auth/caller.ts'

/** Every operation of the document that this server answers; the one of its webhook is answered by receivers. */
export type OperationId = Exclude<keyof operations & string, 'postAlert'>

/** Operations that are documented but answered outside the validator: OTLP, health, metrics, the document and its reference. */
export const outsideOperationIds = [
  'exportTraces',
  'exportMetrics',
  'exportLogs',
  'getHealth',
  'getReadiness',
  'getMetrics',
  'getDocument',
  'getReference',
] as const satisfies readonly OperationId[]

/** Operations that a handler answers; all of them stand under `/api/v1/`. */
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

/** A request that fits the document, from a caller whose role suffices. */
export interface HandlerRequest<Id extends OperationId = OperationId> {
  readonly caller: Caller
  readonly path: ParametersIn<Id, 'path'>
  readonly query: ParametersIn<Id, 'query'>
  /** The header parameters that the document declares, by the names it gives them; no other header. */
  readonly headers: ParametersIn<Id, 'header'>
  readonly body: Body<Id>
  /** Aborts when the client goes away before it is answered. */
  readonly signal: AbortSignal
  readonly requestId: string
}

type SuccessStatus = 200 | 201 | 202 | 204

/** What a handler answers: a success that the document declares. Everything else is thrown as a `Problem`. */
export type HandlerResult<Id extends OperationId = OperationId> = {
  [Status in keyof operations[Id]['responses'] & SuccessStatus]: JsonOf<
    operations[Id]['responses'][Status]
  > extends infer Json
    ? {
        readonly status: Status
        readonly headers?: Readonly<Record<string, string>>
      } & ([Json] extends [undefined] ? { readonly body?: undefined } : { readonly body: Json })
    : never
}[keyof operations[Id]['responses'] & SuccessStatus]

export type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
) => Promise<HandlerResult<Id>> | HandlerResult<Id>

/** One handler for each of the operations, by operationId. */
export type Handlers<Ids extends HandledOperationId = HandledOperationId> = {
  readonly [Id in Ids]: Handler<Id>
}
