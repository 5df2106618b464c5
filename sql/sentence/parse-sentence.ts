/** Reads the sentence of a message filter, which `describeMessages` writes, back as a filter. */
import { InvalidQuery } from '../errors.ts'
import { nsOfRfc3339, rfc3339OfNs } from '../ids-and-times.ts'
import { messageFields } from '../ir/message-field.ts'
import { type RelationKind, relationKinds } from '../ir/relation.ts'
import { type Operator, operators, operatorTable } from '../operators.ts'
import { conditionsLimit, type RawCondition } from '../parse/condition.ts'
import type { RawMessageFilter, RawMessageRow } from '../parse/message-query.ts'
import { type RawRelation, relationsLimit } from '../parse/relation.ts'
import { intrinsicKeys } from '../record-kinds/record-kinds.ts'
import { anyOfWords, SentenceReader } from './sentence-reader.ts'

/** A condition as the API writes it. */
interface WrittenRow {
  readonly attribute_source: 'any' | 'span' | 'resource' | 'intrinsic' | 'message'
  readonly attribute_key: string
  readonly operator: Operator
  readonly value?: string
  readonly includeDescendants?: true
}

interface WrittenRelation {
  readonly kind: RelationKind
  readonly from: readonly WrittenRow[]
  readonly to: readonly WrittenRow[]
  readonly within_ms?: number
}

/** What a sentence says, in the form of the API. */
export interface ReadSentence {
  /** With the position of the name in the sentence, in Unicode code points. */
  readonly integration?: { readonly name: string; readonly position: number }
  readonly status?: 'ok' | 'error'
  readonly rows: readonly WrittenRow[]
  readonly relations: readonly WrittenRelation[]
  /** Absent if the sentence names no window. The times are RFC 3339. */
  readonly window?: { readonly from: string; readonly to: string } | { readonly last_s: number }
}

/** The positions of the conditions in a sentence, in UTF-16 code units. */
type Positions = Map<RawMessageRow | RawCondition | RawRelation, number>

/**
 * Reads a sentence. The conditions are checked by `check`.
 * @throws InvalidSentence at the first character that is not understood, or at a condition that is refused
 */
export function parseSentence(sentence: string, check: (filter: RawMessageFilter) => unknown): ReadSentence {
  const reader = new SentenceReader(sentence)
  const positions: Positions = new Map()
  reader.expect('Messages')
  const integration = reader.take('of') ? readIntegration(reader) : undefined
  const status = reader.take('with status') ? reader.oneOf(statuses) : undefined
  const { rows, relations } = reader.take('where') ? readConditions(reader, positions) : { rows: [], relations: [] }
  const isFollowed = reader.take(',')
  const window = readWindow(reader, isFollowed)
  reader.take('.')
  if (reader.position < sentence.length) {
    const next = rows.length + relations.length > 0 ? windowWords : ['where', ...windowWords]
    const parts = window === undefined ? `${anyOfWords(next)}, or ` : ''
    throw reader.fault(`Expected ${parts}the end of the sentence`)
  }
  checkConditions(reader, positions, () => check({ rows, relations }), { rows, relations })
  return {
    ...(integration === undefined ? {} : { integration }),
    ...(status === undefined ? {} : { status }),
    rows,
    relations,
    ...(window === undefined ? {} : { window }),
  }
}

const statuses = [
  ['ok', 'ok'],
  ['error', 'error'],
] as const

function readIntegration(reader: SentenceReader): { name: string; position: number } {
  if (reader.take('a deleted integration')) throw reader.fault('A sentence about a deleted integration has no filter')
  reader.expect('integration')
  const { position } = reader
  const name = reader.quoted()
  if (name === undefined) throw reader.fault('Expected the name of the integration in quotes')
  return { name, position: reader.faultAt(position, '').position }
}

/** Stops at the first item too many: a sentence could have thousands, which take seconds to read. */
function readConditions(reader: SentenceReader, positions: Positions) {
  const rows: WrittenRow[] = []
  const relations: WrittenRelation[] = []
  do {
    const { position } = reader
    if (reader.take('a step')) positions.set(append(relations, readRelation(reader)), position)
    else positions.set(append(rows, readRow(reader)), position)
    if (relations.length > relationsLimit.max) throw reader.faultAt(position, relationsLimit.message)
    if (rows.length > conditionsLimit.max) throw reader.faultAt(position, conditionsLimit.message)
  } while (reader.take('and'))
  return { rows, relations }
}

function append<Item>(items: Item[], item: Item): Item {
  items.push(item)
  return item
}

type Words = 'messageWords' | 'spanWords'

function readRow(reader: SentenceReader): WrittenRow {
  const row = readCondition(reader, 'messageWords')
  return reader.take('(including child spans)') ? { ...row, includeDescendants: true } : row
}

function readCondition(reader: SentenceReader, words: Words): WrittenRow {
  const attribute = readAttribute(reader, words)
  const operator = reader.oneOf(phrases[words])
  return operatorTable[operator].operand === 'none'
    ? { ...attribute, operator }
    : { ...attribute, operator, value: readValue(reader) }
}

/** The words of every operator, in sentences about messages and about single spans. */
const phrases: Readonly<Record<Words, readonly (readonly [words: string, operator: Operator])[]>> = {
  messageWords: operators.map((operator) => [operatorTable[operator].messageWords, operator]),
  spanWords: operators.map((operator) => [operatorTable[operator].spanWords, operator]),
}

function readAttribute(reader: SentenceReader, words: Words): Pick<WrittenRow, 'attribute_source' | 'attribute_key'> {
  for (const source of ['span', 'resource'] as const)
    if (reader.take(`${source} attribute`)) return { attribute_source: source, attribute_key: readKey(reader) }
  if (words === 'messageWords' && reader.take('message attribute')) {
    const field = reader.oneOf(messageFields.map((name) => [name, name]))
    return { attribute_source: 'message', attribute_key: field }
  }
  const quoted = reader.quoted()
  if (quoted !== undefined) return { attribute_source: 'any', attribute_key: quoted }
  const key = readKey(reader)
  return { attribute_source: intrinsicKeys.includes(key) ? 'intrinsic' : 'any', attribute_key: key }
}

function readKey(reader: SentenceReader): string {
  const key = reader.quoted() ?? reader.token(/[\w.-]+/y)
  if (key === undefined) throw reader.fault('Expected the key of an attribute, in quotes unless it is a plain word')
  return key
}

function readValue(reader: SentenceReader): string {
  const value = reader.quoted() ?? reader.token(/-?\d+(\.\d+)?([eE][+-]?\d+)?/y)
  if (value === undefined) throw reader.fault('Expected a value in quotes')
  return value
}

/** Reads a relation after its first words, `a step`. */
function readRelation(reader: SentenceReader): WrittenRelation {
  const from = readStep(reader)
  const { kind, isTimed } = reader.oneOf(relationWords)
  const within = isTimed ? { within_ms: readMilliseconds(reader) } : {}
  if (isTimed) reader.expect('by')
  reader.expect('a step')
  return { kind, from, to: readStep(reader), ...within }
}

interface RelationWords {
  readonly kind: RelationKind
  /** Whether a time limit follows. */
  readonly isTimed: boolean
}

const relationWords = (Object.keys(relationKinds) as RelationKind[]).flatMap(
  (kind): (readonly [words: string, meaning: RelationWords])[] => {
    const { words, ...more } = relationKinds[kind]
    const plain = [words, { kind, isTimed: false }] as const
    return 'timedWords' in more ? [plain, [more.timedWords, { kind, isTimed: true }]] : [plain]
  },
)

function readStep(reader: SentenceReader): WrittenRow[] {
  if (!reader.take('with (')) return []
  const conditions: WrittenRow[] = []
  do {
    const { position } = reader
    conditions.push(readCondition(reader, 'spanWords'))
    if (conditions.length > conditionsLimit.max) throw reader.faultAt(position, conditionsLimit.message)
  } while (reader.take('and'))
  reader.expect(')')
  return conditions
}

const secondsOf = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const
const unitNames = Object.keys(secondsOf) as (keyof typeof secondsOf)[]
const timeUnits = [
  ...unitNames.flatMap((unit) => [
    [unit, secondsOf[unit] * 1_000] as const,
    [`${unit}s`, secondsOf[unit] * 1_000] as const,
  ]),
  ['millisecond', 1] as const,
  ['milliseconds', 1] as const,
]

function readMilliseconds(reader: SentenceReader): number {
  const count = reader.token(/\d+/y)
  if (count === undefined) throw reader.fault('Expected a number')
  return Number(count) * reader.oneOf(timeUnits)
}

/** The relative windows of saved views are at most as long. */
const relativeSecondsMax = 36_500 * 86_400

/** The words with which a window begins. */
const windowWords = ['from', 'in the last']

function readWindow(reader: SentenceReader, isRequired: boolean): ReadSentence['window'] {
  if (reader.take('from')) {
    const from = readTime(reader)
    reader.expect('to')
    const { position } = reader
    const to = readTime(reader)
    if (from >= to) throw reader.faultAt(position, 'The end of the window must be after its start.')
    return { from: rfc3339OfNs(from), to: rfc3339OfNs(to) }
  }
  if (reader.take('in the last')) {
    const { position } = reader
    const count = reader.token(/\d+/y) ?? '1'
    const milliseconds = Number(count) * reader.oneOf(timeUnits)
    if (milliseconds % 1_000 !== 0) throw reader.faultAt(position, 'A relative window takes whole seconds.')
    const seconds = milliseconds / 1_000
    if (seconds < 1 || seconds > relativeSecondsMax) {
      throw reader.faultAt(position, 'A relative window has at least 1 second and at most 36500 days.')
    }
    return { last_s: seconds }
  }
  if (isRequired) throw reader.fault(`Expected ${anyOfWords(windowWords)}`)
  return undefined
}

/** Reads a time and returns its nanoseconds since 1970. */
function readTime(reader: SentenceReader): bigint {
  const { position } = reader
  const text = reader.token(/[\d:.TtZz-]*[\dZz]/y) ?? ''
  const ns = nsOfRfc3339(text)
  // February 30 is read as March 2.
  if (ns === undefined || !rfc3339OfNs(ns).startsWith(text.slice(0, 'YYYY-MM-DD'.length)))
    throw reader.faultAt(position, 'Expected an RFC 3339 timestamp in UTC.')
  return ns
}

/** Runs the check, and reports the first fault at the condition that it is about. */
function checkConditions(
  reader: SentenceReader,
  positions: Positions,
  check: () => unknown,
  lists: Readonly<Record<'rows' | 'relations', readonly (WrittenRow | WrittenRelation)[]>>,
): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    const [fault] = error.faults
    const [, list, index] = /^\/(rows|relations)\/(\d+)/.exec(fault?.pointer ?? '') ?? []
    const condition = lists[list as 'rows' | 'relations']?.[Number(index)]
    const position = condition === undefined ? 0 : positions.get(condition)
    throw reader.faultAt(position ?? 0, error.message)
  }
}
