import type { Outcome } from './partial-success.ts'
import type { otlpMessages } from './proto/messages-generated.ts'
import type { RowBatch, RowLimits } from './row-batches.ts'

/** What a body holds, ready for ClickHouse. */
export interface DecodedBody {
  readonly batches: readonly RowBatch[]
  readonly outcome: Outcome
}

/** One kind of telemetry: where it comes in, how it is read and where its rows go. */
export interface Signal {
  readonly path: `/v1/${string}`
  /** Label of its metrics. */
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  /** Of proto/. */
  readonly requestMessage: keyof typeof otlpMessages
  readonly responseMessage: keyof typeof otlpMessages
  /** Field of its partial success, as JSON names it. */
  readonly rejectedField: string
  /**
   * Turns a protobuf request into rows. Throws MalformedBody when the body is no such message, OversizedBody when its
   * rows would take more than the limits allow.
   */
  decode(body: Buffer, org: string, limits: RowLimits): DecodedBody
}
