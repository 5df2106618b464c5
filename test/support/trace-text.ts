import { makeSpan, type SpanModel } from './span-model.ts'
import { type DrawnSpan, parseDrawnLine } from './trace-text-line.ts'

/** 2026-01-01T00:00:00Z, the default start of drawn traces. */
export const drawnStartNs = 1_767_225_600_000_000_000n

/** The parent id of a span whose parent is never stored. */
export const missingParentId = 'dead000000000000'

export interface DrawnOptions {
  readonly org?: string
  readonly startNs?: bigint
  /** The id of the first trace; the following traces count up from it. */
  readonly firstTrace?: number
}

/**
 * Parses drawn text into spans, in the order of the lines:
 *
 *     checkout:GET_/cart   [server]  http.route=/cart  @region=eu
 *       charge_card        !declined  retries=int:3  note="two words"
 *         bank:authorize   t+20ms ~5ms
 *       late_refund        ^missing
 *     ---
 *     another_trace
 *
 * | syntax | meaning |
 * |---|---|
 * | indentation | the tree; `^name` names another parent instead, `^missing` one that was never stored, `^` none |
 * | `service:name` | service and span name; without a service, that of the line above in the tree, else `shop` |
 * | `[client]` | span kind; `!` or `!message` status error; `+ok` status ok |
 * | `t+20ms`, `~5ms` | start from the start of the trace (else 1 ms after the line before); duration (else 1 ms) |
 * | `key=value`, `@key=value` | span and resource attribute: a text, or `int: double: bool: bytes: json: unset:` |
 * | `#2a` | span id; two lines with one id are two rows of one span |
 * | `---` | the next trace, which starts a second later |
 */
export function drawTraces(text: string, options: DrawnOptions = {}): SpanModel[] {
  const traces = text.split(/^\s*---.*$/m).map((part) => part.split('\n').filter((line) => line.trim() !== ''))
  return traces.flatMap((lines, position) => buildTrace(lines.map(parseDrawnLine), position, options))
}

/** `drawTraces` as a template tag. Interpolated values become part of the text. */
export function trace(text: TemplateStringsArray, ...parts: readonly unknown[]): SpanModel[] {
  return drawTraces(String.raw(text, ...parts))
}

/** Returns the trace id of the n-th drawn trace, counted from 1. */
export function drawnTraceId(n: number): string {
  return `7ace${n.toString(16).padStart(28, '0')}`
}

function buildTrace(lines: readonly DrawnSpan[], position: number, options: DrawnOptions): SpanModel[] {
  const startNs = (options.startNs ?? drawnStartNs) + BigInt(position) * 1_000_000_000n
  const traceId = drawnTraceId((options.firstTrace ?? 1) + position)
  const ids = lines.map((line, index) => line.spanId ?? (index + 1).toString(16).padStart(16, '0'))
  const services: string[] = []
  return lines.map((line, index) => {
    const above = lines.slice(0, index).findLastIndex((other) => other.indentation < line.indentation)
    services[index] = line.service ?? services[above] ?? 'shop'
    const { indentation: _, parentName, offsetNs, ...written } = line
    return makeSpan({
      ...written,
      ...(options.org === undefined ? {} : { org: options.org }),
      traceId,
      spanId: ids[index] ?? '',
      parentId: parentName === undefined ? (ids[above] ?? '') : idOfName(parentName, lines, ids),
      service: services[index],
      startNs: startNs + (offsetNs ?? BigInt(index) * 1_000_000n),
    })
  })
}

function idOfName(name: string, lines: readonly DrawnSpan[], ids: readonly string[]): string {
  if (name === '') return ''
  if (name === 'missing') return missingParentId
  const position = lines.findIndex((line) => line.name === name)
  return ids[position] ?? raiseUnknown(name)
}

function raiseUnknown(name: string): never {
  throw new Error(`No line of the drawn trace has the name ${name}.`)
}
