import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp } from '../support/integration-app.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

const tenant = sharedApp()

type Detail = components['schemas']['MessageDetail']

/** Sends a span with one attribute and returns the value that its message has. */
async function readValue(value: object): Promise<unknown> {
  const { org, app, ask } = tenant()
  const times = { startTimeUnixNano: String(drawnStartNs), endTimeUnixNano: String(drawnStartNs) }
  const span = { traceId: drawnTraceId(1), spanId: '1'.repeat(16), name: 'pay', ...times }
  const attributes = [{ key: 'value', value }]
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, attributes }] }] }] }
  await app.sendSpans(body, { org, role: 'ingest' })
  const { body: detail } = await ask<Detail>('GET', `/messages/${drawnTraceId(1)}`)
  return detail.spans[0]?.attributes.find(({ key }) => key === 'value')?.value
}

const array = (...values: object[]) => ({ arrayValue: { values } })
const kvlist = (key: string, value: object) => ({ kvlistValue: { values: [{ key, value }] } })
const int = (intValue: string) => ({ intValue })
const double = (doubleValue: number) => ({ doubleValue })

it('ints beyond 2^53 inside arrays and kvlists are exact strings, smaller ones are numbers', async () => {
  const ints = ['9007199254740991', '9007199254740992', '9223372036854775807', '-9223372036854775808', '-1']
  const exact = [9007199254740991, '9007199254740992', '9223372036854775807', '-9223372036854775808', -1]
  expect(await readValue(array(...ints.map(int)))).toEqual(exact)
  expect(await readValue(array(kvlist('order', int('9007199254740993')), array(int('-9007199254740993'))))).toEqual([
    { order: '9007199254740993' },
    ['-9007199254740993'],
  ])
})

it('doubles and strings inside arrays and kvlists stay as they are beside ints beyond 2^53', async () => {
  const large = int('9007199254740993')
  const doubles = [0.12345678901234568, 1e20, 1e300, 1.7976931348623157e308, -1234567890.1234567]
  expect(await readValue(array(large, ...doubles.map(double)))).toEqual(['9007199254740993', ...doubles])
  const texts = ['9007199254740993', '"', '\\', '\\"9007199254740993', ',9007199254740993,', '\n9007199254740993']
  expect(await readValue(array(...texts.map((stringValue) => ({ stringValue })), large))).toEqual([
    ...texts,
    '9007199254740993',
  ])
  expect(await readValue(kvlist('":9007199254740993,', large))).toEqual({ '":9007199254740993,': '9007199254740993' })
})

it('whole doubles inside arrays that fit in 64 bits count as ints, and larger ones are numbers', async () => {
  const doubles = [12, -0, 2 ** 53, -(2 ** 53) - 2, 123456789012345680, 2 ** 63, -(2 ** 63)]
  const answered = [12, 0, '9007199254740992', '-9007199254740994', '123456789012345680', 2 ** 63, -(2 ** 63)]
  expect(await readValue(array(...doubles.map(double)))).toEqual(answered)
})
