import { describe, expect, it } from 'vitest'
import { checkTraceQl, InvalidTraceQl } from '../../sql/index.ts'

describe('valid queries are accepted', () => {
  it.each([
    '{}',
    '{ }',
    '{ true }',
    '{ name = "a" }',
    '{name="a"&&status=error}',
    '{ span:name =~ "GET.*" && kind != server }',
    '{ .a = 5 || .a = -1.5e3 || .b = true }',
    '{ span.http.status_code >= 200 && span.http.status_code < 300 }',
    '{ resource."a b".c = "d" }',
    '{ span.a."b c" = `raw \\ text` }',
    '{ span."say \\"hi\\"" != nil }',
    '{ .flag }',
    '{ .flag || span.x = minInt }',
    '{ ((name = "a")) }',
    '{ duration > 1h30m && traceDuration <= 1.5s }',
    '{ trace:rootService = "a" && trace:rootName !~ ".*perf.*" }',
    '{ instrumentation:name = "grpc" }',
    '{ .a } >> { .b } > { .c }',
    '{ .a } && { .b } >> { .c } && { .d }',
    '({ .a } || { .b }) &>> ({ .c } | count() > 1)',
    '{ } !< { resource.service.name = "a" }',
    '{ .a }&<<{ .b }',
    'count() > 10',
    '{ status = error } | count() != 3 | select(span.a, resource.b, name)',
    '{ } with (most_recent=true)',
    '{ .with-dash/and:colon = 1 }',
  ])('%s', (query) => {
    expect(() => checkTraceQl(query)).not.toThrow()
  })
})

describe('invalid queries are refused at the character at fault', () => {
  it.each([
    ['', 1, 'Expected a filter'],
    ['{', 2, 'Expected a field, found the end'],
    ['{ name = "a" ', 14, 'Expected `}`'],
    ['{ name = }', 10, 'Expected a value'],
    ['{ name }', 8, 'Expected a comparison'],
    ['{ nam = "a" }', 3, 'There is no field `nam`'],
    ['{ name = "a', 10, 'The end of the text is missing'],
    ["{ name = 'a' }", 10, 'double quotes'],
    ['{ name = "\\x" }', 11, 'There is no escape'],
    ['{ name = 5 }', 10, 'a text in double quotes'],
    ['{ status = "error" }', 12, 'one of unset, ok, error, without quotes'],
    ['{ status = server }', 12, 'one of unset, ok, error'],
    ['{ status > error }', 12, 'with `=` or `!=`'],
    ['{ duration > 5 }', 14, 'such as `100ms`'],
    ['{ duration > 5q }', 14, 'Not a valid number or duration'],
    ['{ .a =~ "(" }', 9, 'Not a valid RE2 regular expression'],
    ['{ .a =~ ")(" }', 9, 'Not a valid RE2 regular expression'],
    ['{ .a =~ 5 }', 9, 'A regular expression must be a text in double quotes'],
    ['{ .a > nil }', 8, '`nil` is compared'],
    ['{ .a > true }', 8, 'with `=` or `!=`'],
    ['{ .a = error }', 8, 'double quotes'],
    ['{ . = 1 }', 5, 'Expected the name of an attribute'],
    ['{ } | count()', 14, 'Expected a comparison of the count'],
    ['{ } | count() > "a"', 17, 'compared with a number'],
    ['{ } | nothing()', 7, '`count` or `select`'],
    ['{ } { }', 5, 'Expected an operator or the end'],
    ['{ } }', 5, 'Expected an operator or the end'],
    ['😀', 1, 'found `😀`'],
    ['{ .😀 = "é" && nam = 1 }', 15, 'There is no field'],
    [`${'('.repeat(40)}{ }`, 34, 'nested 32 deep'],
    [`{ ${Array.from({ length: 51 }, () => '.a = 1').join(' && ')} }`, 503, 'at most 50 conditions'],
    [`{ }${' | count() > 1'.repeat(51)}`, 715, 'at most 50 conditions'],
    [Array.from({ length: 17 }, () => '{ }').join(' && '), 1, 'at most 16 filters'],
  ])('%s', (query, character, message) => {
    try {
      checkTraceQl(query)
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidTraceQl)
      const { position, message: text, construct } = error as InvalidTraceQl
      expect([position + 1, text, construct]).toEqual([character, expect.stringContaining(message), undefined])
      return
    }
    throw new Error('The query was accepted.')
  })
})

describe('valid queries that are refused name the construct, not a fault', () => {
  it.each([
    ['{ -.a = 2 }', 3, 'arithmetic'],
    ['{ name = "a" && -(.a + 1) > 2 }', 17, 'arithmetic'],
    ['{ } | count() + count() = 1', 15, 'arithmetic'],
    ['{ } with (most_recent=true, sample=0.1)', 29, 'hints'],
    ['{ } with (sample=0.1, most_recent=true)', 11, 'hints'],
  ])('%s', (query, character, construct) => {
    expect(() => checkTraceQl(query)).toThrow(expect.objectContaining({ position: character - 1, construct }))
  })

  it('a hint may be repeated', () => {
    expect(() => checkTraceQl('{ } with (most_recent=true, most_recent = true)')).not.toThrow()
  })

  it.each(['{ - }', '{ -5 }', '{ + .a = 2 }', '{ } with (most_recent=true,)', '{ } | count() +'])(
    '%s is no query',
    (query) => {
      expect(() => checkTraceQl(query)).toThrow(InvalidTraceQl)
    },
  )
})
