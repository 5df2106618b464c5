import { type Element, type FileEncoding, fileContentTypes, type ImportSignal, importSignals } from './otlp-file.ts'

/** Elements of one signal that are sent in one request. */
export interface Batch {
  readonly elements: readonly Element[]
  readonly signal: ImportSignal
  readonly recordCount: number
}

/** Returns a batch of elements, all of one signal. */
export function batchOf(elements: readonly Element[]): Batch {
  return {
    elements,
    signal: elements[0]?.signal ?? 'traces',
    recordCount: elements.reduce((count, element) => count + element.recordCount, 0),
  }
}

/**
 * Groups elements until the next one would make the request larger than `bytesMax`, or is of another signal. A larger
 * element is sent alone. When reading fails, the elements that were read before are returned first.
 */
export async function* batches(elements: AsyncIterable<Element>, bytesMax: number): AsyncGenerator<Batch> {
  let waiting: Element[] = []
  let waitingBytes = 0
  let fault: { readonly error: unknown } | undefined
  try {
    for await (const element of elements) {
      const isFull = waitingBytes + element.bytes.length > bytesMax || waiting[0]?.signal !== element.signal
      if (waiting.length > 0 && isFull) {
        yield batchOf(waiting)
        waiting = []
        waitingBytes = 0
      }
      waiting.push(element)
      waitingBytes += element.bytes.length
    }
  } catch (error) {
    fault = { error }
  }
  if (waiting.length > 0) yield batchOf(waiting)
  if (fault !== undefined) throw fault.error
}

export interface RequestBody {
  readonly contentType: string
  readonly body: Buffer
}

const [jsonComma, jsonEnd] = [Buffer.from(',\n'), Buffer.from(']}')]

/** Returns the body of the request that sends a batch. The elements are joined as one OTLP export request. */
export function requestBody({ elements, signal }: Batch, encoding: FileEncoding): RequestBody {
  const bytes = elements.map((element) => element.bytes)
  const contentType = fileContentTypes[encoding]
  if (encoding !== 'json') return { contentType, body: Buffer.concat(bytes) }
  const parts = bytes.flatMap((element, index) => (index === 0 ? [element] : [jsonComma, element]))
  const jsonStart = Buffer.from(`{"${importSignals[signal].field}":[`)
  return { contentType, body: Buffer.concat([jsonStart, ...parts, jsonEnd]) }
}
