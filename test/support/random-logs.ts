import { type LogModel, makeLog } from './log-model.ts'
import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import { randomEdge, randomStart } from './random-times.ts'
import { randomKeys, randomText, randomValue } from './random-values.ts'
import { textOf } from './reference-attribute.ts'
import {
  type LogCondition,
  type LogQuery,
  type LogSource,
  logHolds,
  logIntrinsicKeys,
  readLogAttribute,
  timeOf,
} from './reference-logs.ts'
import { type Operator, operators } from './reference-operators.ts'
import type { Attributes, OtlpValue } from './span-model.ts'

export interface RandomLogs {
  readonly keys: readonly string[]
  readonly records: readonly LogModel[]
}

const spreadsNs = [1_000n, 10_000_000n, 60_000_000_000n, 86_400_000_000_000n]
const severities: readonly (readonly [number, string])[] = [
  [0, ''],
  [5, 'DEBUG'],
  [9, 'INFO'],
  [9, 'info'],
  [17, 'ERROR'],
  [24, 'FATAL4'],
  [25, '12'],
  [-3, 'WARN'],
  [2 ** 31 - 1, 'é'],
  [-(2 ** 31), '\u0000'],
]
/** Some of these texts look like numbers. */
const traceIds = ['', '7ace'.padEnd(32, '0'), '1'.padStart(32, '0'), '12'.repeat(16)]
const spanIds = ['', 'f0e0d0c0b0a09080', '5'.padStart(16, '0'), '1234567890123456']

/** Draws log records of one organization, each with a unique event name. Keys, values and times coincide often. */
export function randomLogs(random: Random): RandomLogs {
  const keys = randomKeys(random)
  const values = Array.from({ length: 12 }, () => randomValue(random))
  const spreadNs = random.pick(spreadsNs)
  const startNs = randomStart(random, spreadNs)
  const records = Array.from({ length: 10 + random.below(60) }, (_, position) => {
    const [severityNumber, severityText] = random.pick(severities)
    const randomMoment = () => startNs + (spreadNs * BigInt(random.below(40))) / 40n + randomEdge(random)
    const known = random.weighted({ time: 40, observed: 30, both: 30 })
    return makeLog({
      ...(known === 'observed' ? {} : { timeNs: randomMoment() }),
      ...(known === 'time' ? {} : { observedNs: randomMoment() }),
      severityNumber,
      severityText,
      eventName: `r${position}`,
      body: random.chance(0.15) ? undefined : random.pick(values),
      traceId: random.pick(traceIds),
      spanId: random.pick(spanIds),
      service: random.pick(['shop', 'bank', 'Zürich 😀', '12', 'line\nbreak']),
      scopeName: random.pick(['', 'lib']),
      flags: random.pick([0, 0, 1, 2 ** 32 - 1]),
      attributes: randomAttributes(random, keys, values, 4),
      resourceAttributes: randomAttributes(random, keys, values, 2),
    })
  })
  return { keys, records }
}

function randomAttributes(
  random: Random,
  keys: readonly string[],
  values: readonly OtlpValue[],
  countMax: number,
): Attributes {
  return Array.from({ length: random.below(countMax + 1) }, () => random.pick(keys))
    .filter((key) => key !== 'service.name')
    .map((key) => [key, random.pick(values)] as const)
}

/** Draws a valid query. Most of its conditions are true of the same record in the window. */
export function randomLogQuery(random: Random, logs: RandomLogs): LogQuery & { readonly limit: number } {
  const target = random.pick(logs.records)
  const count = Number(random.weighted({ 0: 4, 1: 40, 2: 34, 3: 16, 4: 6 }))
  const conditions = Array.from({ length: count }, () => conditionAbout(random, logs, target))
  return { conditions, ...randomWindow(random, logs, target), limit: random.pick([1, 7, 50, 200, 200, 200]) }
}

/** Random conditions are mostly false, so this takes the first of a few draws that holds for the target. */
function conditionAbout(random: Random, logs: RandomLogs, target: LogModel): LogCondition {
  const operator = random.pick(operators)
  const draws = Array.from({ length: random.chance(0.85) ? 6 : 1 }, () =>
    randomCondition(random, logs, target, operator),
  )
  return draws.find((condition) => logHolds(condition, target)) ?? (draws[0] as LogCondition)
}

function randomCondition(random: Random, logs: RandomLogs, target: LogModel, operator: Operator): LogCondition {
  const attribute_source: LogSource = random.weighted({ any: 35, log: 20, resource: 10, intrinsic: 35 })
  const attribute_key = random.pick(attribute_source === 'intrinsic' ? logIntrinsicKeys : logs.keys)
  const carried = readLogAttribute(target, attribute_source, attribute_key)
  const text = carried === undefined || random.chance(0.2) ? randomText(random) : textOf(carried)
  const value = randomOperand(random, operator, text)
  return {
    ...(attribute_source === 'any' && random.chance(0.5) ? {} : { attribute_source }),
    attribute_key,
    operator,
    ...(value === undefined ? {} : { value }),
  }
}

/** Draws a window with all records, or one that often begins or ends exactly at a record. */
function randomWindow(random: Random, { records }: RandomLogs, target: LogModel) {
  const times = records.map(timeOf).sort((left, right) => Number(left - right))
  const first = times[0] ?? 0n
  const last = times.at(-1) ?? 0n
  if (random.chance(0.5)) return { fromNs: first, toNs: last + 1n }
  const isCutBelow = random.chance(0.5)
  return isCutBelow ? { fromNs: timeOf(target), toNs: last + 1n } : { fromNs: first - 1n, toNs: timeOf(target) + 1n }
}
