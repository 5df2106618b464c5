import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorCases, storedNames, storedValues } from '../oracle/operator-table.ts'
import { sampleOf } from '../support/fuzz-settings.ts'
import { makePoint, makeSeries, type SeriesModel } from '../support/metric-model.ts'
import { type MetricQuestion, type SeriesCondition, seriesHolds } from '../support/reference-metrics.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

const keys = ['http.route', 'tenant', 'a.b`"\'%2E\\ 😀'] as const

let subject: MetricSubject

/** The series of each organization: one for each stored value, as an attribute of points or of the resource. */
const stored: Record<string, SeriesModel[]> = Object.fromEntries(
  keys.flatMap((key, position) =>
    (['attributes', 'resourceAttributes'] as const).map((place) => [`${place}-${position}`, carrying(key, place)]),
  ),
)

const intrinsicKeys = ['service', 'unit', 'scope_name'] as const

/** Units and scope names that are empty, numbers or words. */
stored.intrinsics = ['', '12'].flatMap((unit) =>
  ['', 'apple'].map((scopeName) => {
    const name = { stringValue: `${unit}/${scopeName}` }
    return makeSeries({ unit, scopeName, attributes: [['name', name]], points: [makePoint({ timeNs: drawnStartNs })] })
  }),
)

beforeAll(async () => {
  subject = await openMetricSubject()
  for (const [org, series] of Object.entries(stored)) await subject.store(org, series)
})
afterAll(() => subject.close())

function carrying(key: string, place: 'attributes' | 'resourceAttributes'): SeriesModel[] {
  return storedNames.map((name) => {
    const value = storedValues[name]
    const carried = { attributes: [], resourceAttributes: [], [place]: value === undefined ? [] : [[key, value]] }
    const points = [makePoint({ timeNs: drawnStartNs, value: 1 })]
    return makeSeries({ ...carried, attributes: [...carried.attributes, ['name', { stringValue: name }]], points })
  })
}

async function find(org: string, condition: SeriesCondition): Promise<string[]> {
  const question: MetricQuestion = {
    metric: 'm',
    conditions: [condition],
    aggregation: 'count',
    groupBy: [{ attribute_key: 'name' }],
    groupsMax: 50,
    fromNs: drawnStartNs,
    toNs: drawnStartNs + 1_000n,
    bucketNs: 1_000_000_000n,
  }
  const lines = (await subject.ask(org, question)) ?? []
  const names = lines.map(({ group }) => group[0]).sort()
  const expected = (stored[org] ?? []).filter((series) => seriesHolds(condition, series))
  expect(names, 'as the reference matcher').toEqual(expected.map(nameOf).sort())
  return names as string[]
}

function nameOf({ attributes }: SeriesModel): string {
  const [, value] = attributes.find(([key]) => key === 'name') ?? []
  return (value as { stringValue: string }).stringValue
}

describe.each(keys)('every operator over every kind of value under the key %j', (key) => {
  const position = keys.indexOf(key)
  const ofPoint = `attributes-${position}`
  const ofResource = `resourceAttributes-${position}`

  it.each(sampleOf(operatorCases))('$operator $operand', async ({ operator, operand, trueFor }) => {
    const row = { attribute_key: key, operator, ...(operand === undefined ? {} : { value: operand }) }
    const expected = [...trueFor].sort()
    const found = await Promise.all([
      find(ofPoint, { attribute_source: 'point', ...row }),
      find(ofResource, { attribute_source: 'resource', ...row }),
      find(ofPoint, row),
      find(ofResource, { attribute_source: 'any', ...row }),
    ])
    expect(found).toEqual([expected, expected, expected, expected])
  })

  it.each(['point', 'resource'] as const)('a key of a source other than %s is absent', async (source) => {
    const other = source === 'point' ? ofResource : ofPoint
    const row = { attribute_source: source, attribute_key: key }
    expect(await find(other, { ...row, operator: 'exists' })).toEqual([])
    expect(await find(other, { ...row, operator: 'neq', value: '12' })).toEqual([...storedNames].sort())
    expect(await find(other, { ...row, operator: 'not_contains', value: 'a' })).toEqual([...storedNames].sort())
    expect(await find(other, { ...row, operator: 'not_exists' })).toEqual([...storedNames].sort())
  })
})

describe('every operator over intrinsics', () => {
  it.each(sampleOf(operatorCases))('$operator $operand', async ({ operator, operand }) => {
    const value = operand === undefined ? {} : { value: operand }
    const condition = { attribute_source: 'intrinsic', operator, ...value } as const
    await Promise.all(intrinsicKeys.map((attribute_key) => find('intrinsics', { ...condition, attribute_key })))
  })

  it.each(intrinsicKeys)('%s is always present', async (attribute_key) => {
    const intrinsic = { attribute_source: 'intrinsic', attribute_key } as const
    expect(await find('intrinsics', { ...intrinsic, operator: 'exists' })).toHaveLength(4)
    expect(await find('intrinsics', { ...intrinsic, operator: 'not_exists' })).toEqual([])
  })
})
