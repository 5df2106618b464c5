import type { RowBatch, RowSpace } from '../inserts/row-batches.ts'
import type { otlpMessages } from '../proto/messages-generated.ts'
import type { Outcome } from './outcome.ts'

/** What a body holds, ready for ClickHouse. */
export interface DecodedBody {
  /** Stored in this order, of one table or of several; the body is acknowledged after the last. */
  readonly batches: readonly RowBatch[]
  readonly outcome: Outcome
}

/** One kind of telemetry: where it comes in and how it is read. */
export interface Signal {
  readonly path: `/v1/${string}`
  /** Label of its metrics. */
  readonly name: string
  /** Of proto/. */
  readonly requestMessage: keyof typeof otlpMessages
  readonly responseMessage: keyof typeof otlpMessages
  /** Field of its partial success, as JSON names it. */
  readonly rejectedField: string
  /**
   * Turns a protobuf request into rows. Throws MalformedBody when the body is no such message, OversizedBody when its
   * rows would take more than the limits allow.
   */
  decode(body: Buffer, org: string, space: RowSpace): DecodedBody
}
