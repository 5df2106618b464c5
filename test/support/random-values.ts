import type { Random } from './random-source.ts'
import type { OtlpValue } from './span-model.ts'

/** Keys that may have a column of their own and are then read in another way. */
const wellKnownKeys = [
  'io.kind',
  'io.role',
  'http.route',
  'http.status_code',
  'db.system',
  'db.operation',
  'messaging.destination.name',
  'net.peer.name',
  'file.name',
]

/** Keys that break careless quoting, escaping, nesting or lookup. */
const hostileKeys = [
  '',
  ' ',
  'a',
  'A',
  'a.b',
  '.',
  'a%2Eb',
  '%',
  'a`b',
  "a'b",
  'a"b',
  'a\\b',
  'a b',
  ' a',
  'a/b~1',
  '$1',
  '{p0:String}',
  '__proto__',
  'constructor',
  'line\nbreak',
  'nul\u0000byte',
  '\u0001a\u0002',
  '\u0004A',
  '😀',
  'é',
  'e\u0301',
  'k'.repeat(256),
  '😀'.repeat(256),
  'service.name',
  'name',
  'duration_ms',
]

/** Keys that name each other's parents, as paths of nested objects or of escaped names would. */
const keyFamilies = [
  ['a', 'a.b', 'a.b.c', 'a%2Eb', 'a..b'],
  ['http', 'http.route', 'http.route.b', 'http%2Eroute', 'http.route.'],
  ['io', 'io.kind', 'io.kind.b', 'io%2Ekind', '.io.kind'],
]

/** Draws the keys of a data set, few enough that spans and queries often use the same ones. */
export function randomKeys(random: Random): string[] {
  if (random.chance(0.25)) return ['tenant', ...random.pick(keyFamilies)]
  return ['tenant', ...random.sample(wellKnownKeys, 2), ...random.sample(hostileKeys, 3)]
}

const words = ['a', 'A', 'ab', 'abc', 'acme', 'acme-eu', 'true', 'null', 'AQI=', 'NaN', 'inf', '[1,"a"]']
const numerals = [
  '12',
  '12.0',
  '012',
  '+12',
  '1.2e1',
  '-5',
  '-0',
  '0.1',
  '0.10',
  '9007199254740993',
  '1e400',
  '1e-400',
  '18446744073709551616',
]
const almostNumerals = [' 12', '12 ', '12\n', '0x10', '1_000', '.5', '5.', '1e']
const hostileTexts = [
  '',
  ' ',
  'a%c',
  'a_c',
  'a.c',
  'a\\c',
  "it's",
  '"q"',
  '`',
  '{p0:String}',
  '$a',
  'é',
  'e\u0301',
  '😀',
  '👩‍👧',
  'ſK',
  'line\nbreak',
  'a\nc',
  'tab\t',
  'nul\u0000byte',
  '\\N',
  '\u2028',
  '\ufeffa',
  '\ufffd',
  '\u007f\u001b',
  // The marks of stored attribute lists, and an escaped one.
  '\u0001\u0002\u0003\u0004',
  '\u0003a',
  '\u0004A',
  'x'.repeat(300),
  '😀'.repeat(100),
]

const ints = [
  '0',
  '1',
  '-1',
  '12',
  '-5',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
]
const doubles = [
  12,
  12.5,
  0.1,
  0.3,
  0.1 + 0.2,
  -0,
  -5,
  1e21,
  1e23,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  1e20,
  1e-6,
  123456789012345680,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
]
const extremes = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

const nestedValues: readonly OtlpValue[] = [
  { arrayValue: { values: doubles.map((doubleValue) => ({ doubleValue })) } },
  { arrayValue: { values: hostileTexts.slice(0, -2).map((stringValue) => ({ stringValue })) } },
  {
    kvlistValue: {
      values: ['b', '', 'a', 'b', 'nul\u0000byte'].map((key, position) => ({ key, value: extremeOf(position) })),
    },
  },
  nestedIn(40),
  { bytesValue: '' },
  { bytesValue: 'AQI=' },
  { bytesValue: '+/8=' },
  { arrayValue: { values: [] } },
  { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'a' }] } },
  {
    arrayValue: { values: [{ intValue: '9223372036854775807' }, {}, { doubleValue: 12 }, { doubleValue: Number.NaN }] },
  },
  { kvlistValue: { values: [] } },
  {
    arrayValue: {
      values: [
        { kvlistValue: { values: [{ key: 'a', value: { intValue: '12' } }] } },
        { arrayValue: { values: [{ boolValue: true }, { kvlistValue: { values: [] } }, { bytesValue: 'AQI=' }] } },
      ],
    },
  },
  {
    kvlistValue: {
      values: [
        { key: '10', value: { stringValue: '"q"\n' } },
        { key: '2', value: { boolValue: false } },
      ],
    },
  },
  {
    kvlistValue: {
      values: [{ key: 'a', value: { kvlistValue: { values: [{ key: 'b.c', value: { bytesValue: 'AQI=' } }] } } }],
    },
  },
]

/** Values that are infinite or not a number, and an absent one. */
function extremeOf(position: number): OtlpValue {
  const doubleValue = extremes[position]
  return doubleValue === undefined ? {} : { doubleValue }
}

/** Returns a text in lists within lists. The protobuf encoder of the tests takes fewer levels than the server. */
function nestedIn(levels: number): OtlpValue {
  return levels === 0 ? { stringValue: 'a' } : { arrayValue: { values: [nestedIn(levels - 1)] } }
}

/** Draws any bits of an int, or of a double, most of which have 17 digits. */
function randomBits(random: Random): OtlpValue {
  const bits = new DataView(new ArrayBuffer(8))
  for (const at of [0, 4]) bits.setUint32(at, random.below(2 ** 32))
  return random.chance(0.5) ? { intValue: String(bits.getBigInt64(0)) } : { doubleValue: bits.getFloat64(0) }
}

/** Draws a value of any OTLP type. Plain words and numbers are the most likely, so that values coincide. */
export function randomValue(random: Random): OtlpValue {
  const kind = random.weighted({
    word: 30,
    numeral: 12,
    almost: 4,
    hostile: 12,
    int: 14,
    double: 10,
    extreme: 3,
    bits: 4,
    bool: 6,
    nested: 5,
    unset: 4,
  })
  switch (kind) {
    case 'word':
      return { stringValue: random.pick(words) }
    case 'numeral':
      return { stringValue: random.pick(numerals) }
    case 'almost':
      return { stringValue: random.pick(almostNumerals) }
    case 'hostile':
      return { stringValue: random.pick(hostileTexts) }
    case 'int':
      return { intValue: random.pick(ints) }
    case 'double':
      return { doubleValue: random.pick(doubles) }
    case 'extreme':
      return { doubleValue: random.pick(extremes) }
    case 'bits':
      return randomBits(random)
    case 'bool':
      return { boolValue: random.chance(0.5) }
    case 'nested':
      return random.pick(nestedValues)
    case 'unset':
      return {}
  }
}

/** Draws a text that some value has, or one that no value has. */
export function randomText(random: Random): string {
  return random.pick(['nowhere', ...words, ...numerals, ...almostNumerals, ...hostileTexts])
}

/** Draws a text that is a number. */
export function randomNumeral(random: Random): string {
  return random.pick(['0', '-1', '13', '11.999', '-1e400', '9007199254740992', '9223372036854775806', ...numerals])
}
