import { expect, it } from 'vitest'
import { readAttribute, textOf } from '../support/reference-attribute.ts'
import { compareDecimals, decimalOfDouble, parseDecimal } from '../support/reference-number.ts'
import { makeSpan, type OtlpValue } from '../support/span-model.ts'
import { trace } from '../support/trace-text.ts'

const nested: OtlpValue = {
  kvlistValue: {
    values: [
      { key: '10', value: { intValue: '9223372036854775807' } },
      {
        key: '2',
        value: { arrayValue: { values: [{}, { boolValue: false }, { doubleValue: 12 }, { bytesValue: 'AQ==' }] } },
      },
      { key: '10', value: { doubleValue: Number.NaN } },
    ],
  },
}

it.each<[string, OtlpValue, string]>([
  ['a text is itself', { stringValue: ' "é"\n' }, ' "é"\n'],
  ['an int is in decimal', { intValue: '-9223372036854775808' }, '-9223372036854775808'],
  ['a whole double has no fraction', { doubleValue: 12 }, '12'],
  ['a double is in its shortest form', { doubleValue: 0.1 }, '0.1'],
  ['a large double has an exponent', { doubleValue: 1e21 }, '1e+21'],
  ['negative zero is zero', { doubleValue: -0 }, '0'],
  ['true is a word', { boolValue: true }, 'true'],
  ['bytes are in base64', { bytesValue: 'AQI=' }, 'AQI='],
  ['an unset value is the empty text', {}, ''],
  ['an empty array is two brackets', { arrayValue: { values: [] } }, '[]'],
  ['a nested value is compact JSON in the order of its keys', nested, '{"10":"NaN","2":[null,false,12,"AQ=="]}'],
])('%s', (_, value, text) => expect(textOf(value)).toBe(text))

it.each(['12', '+12', '-0', '1.50', '1e5', '1E-5', '00012', '1.0e+007'])('%j is a number', (text) =>
  expect(parseDecimal(text)).toBeDefined(),
)

it.each(['', 'inf', 'nan', '0x10', ' 5', '5 ', '5\n', '.5', '5.', '1_000', '1e', 'e1', '--1', '١٢'])(
  '%j is a text',
  (text) => expect(parseDecimal(text)).toBeUndefined(),
)

it.each<[string, string, number]>([
  ['1.50', '15e-1', 0],
  ['-0', '0', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['-9007199254740993', '-9007199254740992', -1],
  ['1e999999999999', '1e999999999998', 1],
  ['-1', '1', -1],
  ['0.0000001', '1e-7', 0],
  ['12', '2', 1],
  ['0', '-1', 1],
])('%s compared with %s', (left, right, order) => {
  const [first, second] = [parseDecimal(left), parseDecimal(right)]
  if (first === undefined || second === undefined) throw new Error('Both must be numbers.')
  expect(Math.sign(compareDecimals(first, second))).toBe(order)
})

it.each<[number, string]>([
  [12, '12'],
  [-0.5, '-0.5'],
  [0.1, '0.1000000000000000055511151231257827021181583404541015625'],
  [2 ** 53, '9007199254740992'],
  [1e23, '99999999999999991611392'],
  [-0, '0'],
])('the exact value of the double %d is %s', (double, text) =>
  expect(decimalOfDouble(double)).toEqual(parseDecimal(text)),
)

it('the smallest double has its whole expansion', () =>
  expect(decimalOfDouble(Number.MIN_VALUE).digits).toHaveLength(751))

const [both] = trace`step  region=span  only.span=1  @region=resource  @only.resource=2`

it.each<['any' | 'span' | 'resource', string, string | undefined]>([
  ['any', 'region', 'span'],
  ['span', 'region', 'span'],
  ['resource', 'region', 'resource'],
  ['any', 'only.resource', '2'],
  ['span', 'only.resource', undefined],
  ['resource', 'only.span', undefined],
  ['any', 'elsewhere', undefined],
  ['any', '__proto__', undefined],
  ['resource', 'service.name', 'shop'],
])('source %s reads %s as %s', (source, key, text) => {
  const value = readAttribute(both as NonNullable<typeof both>, source, key)
  expect(value === undefined ? undefined : textOf(value)).toBe(text)
})

it('an unset span attribute takes precedence over the resource attribute', () => {
  const [span] = trace`step region=unset: @region=eu`
  expect(readAttribute(span as NonNullable<typeof span>, 'any', 'region')).toEqual({})
})

it('a key that occurs twice in one span has its last value', () => {
  const [span] = trace`step k=first k=last`
  expect(readAttribute(span as NonNullable<typeof span>, 'span', 'k')).toEqual({ stringValue: 'last' })
})

it('every span carries every intrinsic', () => {
  const span = makeSpan({
    traceId: '1'.repeat(32),
    spanId: '1'.repeat(16),
    kind: 'unspecified',
    durationNs: 1_500_000n,
  })
  const read = ['service', 'name', 'kind', 'status', 'status_message', 'duration_ms', 'scope_name'].map((key) =>
    textOf(readAttribute(span, 'intrinsic', key) ?? { stringValue: 'absent' }),
  )
  expect(read).toEqual(['shop', 'step', 'unspecified', 'unset', '', '1.5', ''])
})

it.each<[bigint, string]>([
  [0n, '0'],
  [1n, '0.000001'],
  [1_500_000n, '1.5'],
  [12_000_000n, '12'],
  [100_000_000n, '100'],
  [2n ** 60n + 1n, '1152921504606.846977'],
])('%d ns are %s ms, exactly', (durationNs, text) => {
  const span = makeSpan({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), durationNs })
  expect(textOf(readAttribute(span, 'intrinsic', 'duration_ms') ?? {})).toBe(text)
})
