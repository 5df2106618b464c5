import { contentTypes, type Element, type FileEncoding } from './otlp-file.ts'

/** Elements that are sent in one request. */
export interface Batch {
  readonly elements: readonly Element[]
  readonly spanCount: number
  readonly bytes: number
}

export function batchOf(elements: readonly Element[]): Batch {
  return {
    elements,
    spanCount: elements.reduce((count, element) => count + element.spanCount, 0),
    bytes: elements.reduce((count, element) => count + element.bytes.length, 0),
  }
}

/**
 * Groups elements until the next one would make the request larger than `bytesMax`. A larger element is sent alone.
 * When reading fails, the elements read before the failure are returned first.
 */
export async function* batches(elements: AsyncIterable<Element>, bytesMax: number): AsyncGenerator<Batch> {
  let waiting: Element[] = []
  let waitingBytes = 0
  let fault: { readonly error: unknown } | undefined
  try {
    for await (const element of elements) {
      if (waiting.length > 0 && waitingBytes + element.bytes.length > bytesMax) {
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

const [jsonStart, jsonComma, jsonEnd] = ['{"resourceSpans":[', ',\n', ']}'].map((text) => Buffer.from(text))

export function requestBody({ elements }: Batch, encoding: FileEncoding): RequestBody {
  const bytes = elements.map((element) => element.bytes)
  const contentType = contentTypes[encoding]
  if (encoding !== 'json') return { contentType, body: Buffer.concat(bytes) }
  const parts = bytes.flatMap((element, index) => (index === 0 ? [element] : [jsonComma as Buffer, element]))
  return { contentType, body: Buffer.concat([jsonStart as Buffer, ...parts, jsonEnd as Buffer]) }
}
