/**
 * The unit in which files are read: one ResourceSpans, as the bytes that stand in the file. Requests are made by putting
 * such bytes one after the other, so nothing is decoded and encoded again, and no number loses digits.
 */
export interface Element {
  readonly bytes: Buffer
  readonly spanCount: number
  /** Offset (in the decompressed stream) at which a reader can start afresh and meet this element again. */
  readonly documentStart: number
  /** Offset just after the element. */
  readonly end: number
}

/** A larger one cannot be sent in one request, and files are read in bounded memory. */
export const elementBytesMax = 64 * 2 ** 20

/** The file is not OTLP, or ends within a message. */
export class UnreadableInput extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.name = 'UnreadableInput'
    this.offset = offset
  }
}

const laterSignals: Readonly<Record<string, string>> = { resourceLogs: 'logs', resourceMetrics: 'metrics' }

/** Names the signal of a request by its one field; throws for a signal that there is no endpoint for. */
export function checkSignal(field: string, offset: number): void {
  const signal = laterSignals[field]
  if (signal !== undefined) {
    throw new UnreadableInput(offset, `it holds ${signal} (${field}), and only traces (resourceSpans) can be imported`)
  }
}
