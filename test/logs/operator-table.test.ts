import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorCases, storedNames, storedValues } from '../oracle/operator-table.ts'
import { sampleOf } from '../support/fuzz-settings.ts'
import { type LogModel, makeLog } from '../support/log-model.ts'
import { type LogSubject, openLogSubject, toLogSearch } from '../support/log-subject.ts'
import { type LogCondition, logHolds } from '../support/reference-logs.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const keys = ['http.route', 'tenant', 'a.b`"\'%2E\\ 😀'] as const

let subject: LogSubject

/** The records of each organization: one for each stored value, as an attribute, a resource attribute or the body. */
const records: Record<string, LogModel[]> = Object.fromEntries(
  keys.flatMap((key, position) =>
    (['attributes', 'resourceAttributes'] as const).map((place) => [`${place}-${position}`, carrying(key, place)]),
  ),
)
records.body = storedNames.map((name, position) => recordNamed(name, position, { body: storedValues[name] }))

beforeAll(async () => {
  subject = await openLogSubject()
  for (const [org, stored] of Object.entries(records)) await subject.store(org, stored)
})
afterAll(() => subject.close())

function carrying(key: string, place: 'attributes' | 'resourceAttributes'): LogModel[] {
  return storedNames.map((name, position) => {
    const value = storedValues[name]
    return recordNamed(name, position, { [place]: value === undefined ? [] : [[key, value]] })
  })
}

function recordNamed(name: string, position: number, given: Partial<LogModel>): LogModel {
  return makeLog({ ...given, eventName: name, timeNs: drawnStartNs + BigInt(position) })
}

async function find(org: string, condition: LogCondition): Promise<string[]> {
  const window = { fromNs: drawnStartNs, toNs: drawnStartNs + 1_000n }
  const found = await subject.searchAll(org, { ...toLogSearch({ conditions: [condition], ...window }), limit: 200 })
  const names = found.map(({ event_name }) => event_name).sort()
  const expected = (records[org] ?? []).filter((record) => logHolds(condition, record))
  expect(names, 'as the reference matcher').toEqual(expected.map(({ eventName }) => eventName).sort())
  return names
}

describe.each(keys)('every operator over every kind of value under the key %j', (key) => {
  const position = keys.indexOf(key)
  const ofLog = `attributes-${position}`
  const ofResource = `resourceAttributes-${position}`

  it.each(sampleOf(operatorCases))('$operator $operand', async ({ operator, operand, trueFor }) => {
    const row = { attribute_key: key, operator, ...(operand === undefined ? {} : { value: operand }) }
    const expected = [...trueFor].sort()
    expect(await find(ofLog, { attribute_source: 'log', ...row })).toEqual(expected)
    expect(await find(ofResource, { attribute_source: 'resource', ...row })).toEqual(expected)
    expect(await find(ofLog, row)).toEqual(expected)
    expect(await find(ofResource, { attribute_source: 'any', ...row })).toEqual(expected)
  })

  it.each(['log', 'resource'] as const)('a key of a source other than %s is absent', async (source) => {
    const other = source === 'log' ? ofResource : ofLog
    const row = { attribute_source: source, attribute_key: key }
    expect(await find(other, { ...row, operator: 'exists' })).toEqual([])
    expect(await find(other, { ...row, operator: 'neq', value: '12' })).toEqual([...storedNames].sort())
  })
})

describe('every operator over every kind of body', () => {
  it.each(sampleOf(operatorCases))('$operator $operand', async ({ operator, operand }) => {
    const value = operand === undefined ? {} : { value: operand }
    await find('body', { attribute_source: 'intrinsic', attribute_key: 'body', operator, ...value })
  })

  it('a record without a body has an empty body', async () => {
    const body = { attribute_source: 'intrinsic', attribute_key: 'body' } as const
    expect(await find('body', { ...body, operator: 'eq', value: '' })).toEqual(['absent', 'empty', 'unset'])
    expect(await find('body', { ...body, operator: 'not_exists' })).toEqual([])
  })
})
