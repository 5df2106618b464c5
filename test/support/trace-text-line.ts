import { type OtlpValue, type SpanKind, type SpanStatus, spanKinds } from './span-model.ts'

/** One line of a drawn trace. Omitted properties are undefined and are derived from the surrounding lines. */
export interface DrawnSpan {
  readonly indentation: number
  service?: string
  name: string
  kind?: SpanKind
  status?: SpanStatus
  statusMessage?: string
  /** Measured from the start of the trace. */
  offsetNs?: bigint
  durationNs?: bigint
  spanId?: string
  /** The name of the parent, or `missing` for a parent that is never stored. */
  parentName?: string
  readonly attributes: [string, OtlpValue][]
  readonly resourceAttributes: [string, OtlpValue][]
}

const nanosecondsPerUnit = { ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n } as const

/** Splits a line at spaces, except within quoted JSON strings. */
const wordPattern = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g

export function parseDrawnLine(line: string): DrawnSpan {
  const [title = '', ...words] = line.match(wordPattern) ?? []
  const colon = title.indexOf(':')
  const span: DrawnSpan = {
    indentation: line.length - line.trimStart().length,
    ...(colon > 0 ? { service: title.slice(0, colon) } : {}),
    name: title.slice(colon > 0 ? colon + 1 : 0),
    attributes: [],
    resourceAttributes: [],
  }
  for (const word of words) readWord(span, word)
  return span
}

function readWord(span: DrawnSpan, word: string): void {
  const mark = word.charAt(0)
  const rest = word.slice(1)
  if (/^"|^[^=]+=/.test(word) && mark !== '@') span.attributes.push(parseAttribute(word))
  else if (mark === '@') span.resourceAttributes.push(parseAttribute(rest))
  else if (mark === '[') span.kind = parseKind(word.slice(1, -1))
  else if (mark === '!') Object.assign(span, { status: 'error', statusMessage: rest })
  else if (word === '+ok') span.status = 'ok'
  else if (mark === '^') span.parentName = rest
  else if (mark === '#') span.spanId = rest.padStart(16, '0')
  else if (mark === '~') span.durationNs = parseDuration(rest)
  else if (/^t[+-]/.test(word)) span.offsetNs = parseDuration(rest)
  else throw new Error(`A drawn trace has a word that means nothing: ${word}`)
}

function parseKind(text: string): SpanKind {
  const kind = spanKinds.find((known) => known === text)
  if (kind === undefined) throw new Error(`There is no span kind ${text}.`)
  return kind
}

function parseDuration(text: string): bigint {
  const [, sign, amount = '', unit] = /^([+-]?)(\d+)(ns|us|ms|s|m)$/.exec(text) ?? []
  if (unit === undefined) throw new Error(`Not a duration: ${text}`)
  const ns = BigInt(amount) * nanosecondsPerUnit[unit as keyof typeof nanosecondsPerUnit]
  return sign === '-' ? -ns : ns
}

function parseAttribute(word: string): [string, OtlpValue] {
  const quoted = /^("(?:[^"\\]|\\.)*")=/.exec(word)?.[1]
  if (quoted !== undefined) return [JSON.parse(quoted), parseValue(word.slice(quoted.length + 1))]
  const equals = word.indexOf('=')
  return [word.slice(0, equals), parseValue(word.slice(equals + 1))]
}

function parseValue(text: string): OtlpValue {
  const [, type, rest = ''] = /^(int|double|bool|bytes|json|unset):(.*)$/s.exec(text) ?? []
  if (type === 'int') return { intValue: rest }
  if (type === 'double') return { doubleValue: Number(rest) }
  if (type === 'bool') return { boolValue: rest === 'true' }
  if (type === 'bytes') return { bytesValue: rest }
  if (type === 'json') return valueOfJson(JSON.parse(rest))
  if (type === 'unset') return {}
  return { stringValue: text.startsWith('"') ? JSON.parse(text) : text }
}

/** Converts a JSON value to OTLP: integers become ints, null becomes unset. */
export function valueOfJson(json: unknown): OtlpValue {
  if (typeof json === 'string') return { stringValue: json }
  if (typeof json === 'boolean') return { boolValue: json }
  if (typeof json === 'number') return Number.isInteger(json) ? { intValue: String(json) } : { doubleValue: json }
  if (Array.isArray(json)) return { arrayValue: { values: json.map(valueOfJson) } }
  if (json === null || typeof json !== 'object') return {}
  const values = Object.entries(json).map(([key, value]) => ({ key, value: valueOfJson(value) }))
  return { kvlistValue: { values } }
}
