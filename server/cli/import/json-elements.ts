import {
  type Element,
  elementBytesMax,
  type ImportSignal,
  isJaegerKey,
  signalOfField,
  UnreadableInput,
} from './otlp-file.ts'

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const byteOrderMark = Buffer.from('\ufeff')
const keyBytesMax = 256
const nothingToSend = 'a JSON document has neither resourceSpans nor resourceLogs nor resourceMetrics'
const asJaeger = '; if it is an export of Jaeger, read OTLP from its /api/v3/traces/{trace_id}, as the field `result`'
/** Depth of an element: 1 is inside the request, 2 inside its list of resources, 3 inside an element. */
const elementDepth = 3

/**
 * Finds the resources of consecutive OTLP JSON requests: one per line, pretty-printed, or a single one of any size.
 * The scanner looks at brackets and strings only; the text of an element is parsed when the element is complete.
 */
export async function* jsonElements(chunks: AsyncIterable<Buffer>, start: number): AsyncGenerator<Element> {
  const scanner = new ElementScanner(start)
  for await (const chunk of chunks) yield* scanner.push(chunk)
  scanner.end()
}

class ElementScanner {
  private offset: number
  private depth = 0
  private inString = false
  private escaped = false
  private keyBytes: number[] = []
  private key: string | undefined
  /** The signal of the list that is read; undefined outside of one. */
  private listSignal: ImportSignal | undefined
  private sawElements = false
  private sawKey = false
  private sawJaeger = false
  private documentStart = 0
  /** The bytes of the current element from earlier chunks. */
  private parts: Buffer[] = []
  private partBytes = 0

  constructor(start: number) {
    this.offset = start
  }

  *push(chunk: Buffer): Generator<Element> {
    let from = this.isInElement() ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.inString) {
        this.readString(byte)
        continue
      }
      if (byte === openBrace || byte === openBracket) {
        this.open(byte, this.offset + at)
        if (from < 0 && this.isInElement()) from = at
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.isInElement() && this.depth === elementDepth) {
          yield this.finish(chunk.subarray(from, at + 1), this.offset + at + 1)
          from = -1
        }
        this.close(this.offset + at)
      } else this.readOther(byte, this.offset + at)
    }
    if (from >= 0) this.keep(chunk.subarray(from))
    this.offset += chunk.length
  }

  end(): void {
    if (this.depth > 0) throw new UnreadableInput(this.offset, 'it ends within a JSON document')
  }

  private isInElement(): boolean {
    return this.listSignal !== undefined && this.depth >= elementDepth
  }

  private readString(byte: number): void {
    if (this.escaped) this.escaped = false
    else if (byte === backslash) this.escaped = true
    else if (byte === quote) this.inString = false
    if (this.depth === 1 && this.inString && this.keyBytes.length < keyBytesMax) this.keyBytes.push(byte)
  }

  private open(byte: number, offset: number): void {
    if (this.depth === 0) {
      if (byte !== openBrace) throw new UnreadableInput(offset, 'a JSON document is not an object')
      this.documentStart = offset
    }
    this.depth++
    if (this.depth === 2 && byte === openBracket) this.listSignal = signalOfField(this.key ?? '')
  }

  private close(offset: number): void {
    if (this.depth === 0) throw new UnreadableInput(offset, 'a closing bracket does not match an opening one')
    this.depth--
    if (this.depth === 1) this.listSignal = undefined
    if (this.depth > 0) return
    if (this.sawKey && !this.sawElements)
      throw new UnreadableInput(offset, this.sawJaeger ? `${nothingToSend}${asJaeger}` : nothingToSend)
    this.sawKey = this.sawElements = this.sawJaeger = false
    this.key = undefined
  }

  private readOther(byte: number, offset: number): void {
    if (byte === quote) {
      this.inString = true
      if (this.depth === 1) this.keyBytes = []
    } else if (this.depth === 1 && byte === colon) {
      this.key = Buffer.from(this.keyBytes).toString()
      this.sawKey = true
      this.sawJaeger ||= isJaegerKey(this.key)
      this.sawElements ||= signalOfField(this.key) !== undefined
    } else if (this.depth === 1 && byte === comma) this.key = undefined
    const isMark = offset < byteOrderMark.length && byte === byteOrderMark[offset]
    if (this.depth === 0 && byte > 0x20 && !isMark)
      throw new UnreadableInput(offset, 'the text between two documents is not JSON')
  }

  private keep(part: Buffer): void {
    this.parts.push(part)
    this.partBytes += part.length
    if (this.partBytes > elementBytesMax) {
      throw new UnreadableInput(this.documentStart, `one resource is larger than ${elementBytesMax} bytes`)
    }
  }

  private finish(last: Buffer, end: number): Element {
    this.keep(last)
    const bytes = this.parts.length === 1 ? last : Buffer.concat(this.parts)
    this.parts = []
    this.partBytes = 0
    const signal = this.listSignal ?? 'traces'
    const recordCount = countRecords(bytes, signal, end - bytes.length)
    return { bytes, signal, recordCount, documentStart: this.documentStart, end }
  }
}

/** The members of scopes that hold the records, or the metrics. */
const lists = {
  traces: ['scopeSpans', 'spans'],
  logs: ['scopeLogs', 'logRecords'],
  metrics: ['scopeMetrics', 'metrics'],
} as const

/**
 * Counts the spans, log records or data points of an element. Parsing also detects invalid JSON before it is sent. The
 * bytes themselves are sent, so numbers keep all digits.
 */
function countRecords(bytes: Buffer, signal: ImportSignal, offset: number): number {
  const [scopes, records] = lists[signal]
  const found = listOf(parsed(bytes, offset), scopes).flatMap((scope) => listOf(scope, records))
  return signal === 'metrics' ? found.reduce<number>((sum, metric) => sum + countPoints(metric), 0) : found.length
}

function parsed(bytes: Buffer, offset: number): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new UnreadableInput(offset, 'a resource is not valid JSON')
  }
}

function countPoints(metric: unknown): number {
  return Object.values(metric ?? {}).reduce<number>((sum, data) => sum + listOf(data, 'dataPoints').length, 0)
}

/** Returns the list in a member. As in the JSON mapping, null is an absent one; the server refuses anything else. */
function listOf(message: unknown, member: string): readonly unknown[] {
  const list = (message as Readonly<Record<string, unknown>> | null | undefined)?.[member]
  return Array.isArray(list) ? list : []
}
