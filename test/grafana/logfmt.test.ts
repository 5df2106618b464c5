import { expect, it } from 'vitest'
import { readLogfmt } from '../../server/grafana/logfmt.ts'

it.each([
  [
    'a=b c="d e"',
    [
      ['a', 'b'],
      ['c', 'd e'],
    ],
  ],
  ['a="two\\nlines\\ta tab"', [['a', 'two\nlines\ta tab']]],
  ['a="\\"q\\" \\\\ \\/ it\\\'s"', [['a', '"q" \\ / it\'s']]],
  ['a="caf\\u00e9 \\ud83d\\ude00"', [['a', 'café 😀']]],
  ['a="\\ud83d"', [['a', '\ufffd']]],
  ['a=b\\n', [['a', 'b\\n']]],
])('%s is read', (text, expected) => {
  expect(readLogfmt(text)).toEqual(expected)
})

it.each(['a="\\d"', 'a="\\u12"', 'a="b', 'a'])('%s is no logfmt', (text) => {
  expect(readLogfmt(text)).toBeUndefined()
})
