import { describe, expect, it } from 'vitest'
import { param, render, type Sql, sql, text, trusted } from '../../sql/fragment.ts'

const textOf = (query: Sql) => render(query).text

describe('a template over several lines', () => {
  it('is one line of SQL, with one space for each line break', () => {
    const query = sql`
      SELECT
        a,
        b
      FROM t

      WHERE a = 1
    `
    expect(textOf(query)).toBe('SELECT a, b FROM t WHERE a = 1')
  })

  it('has no space inside brackets that are closed on a line of their own', () => {
    const query = sql`
      if(
        a,
        [
          1,
          2
        ],
        (
          ${sql`b`}
        )
      )
    `
    expect(textOf(query)).toBe('if(a, [1, 2], (b))')
  })

  it('keeps one space between a value and a line break', () => {
    const query = sql`
      SELECT ${sql`a`}
      FROM ${sql`t`}
      ${sql`LIMIT 1`}
    `
    expect(textOf(query)).toBe('SELECT a FROM t LIMIT 1')
  })

  it('begins and ends with a value as it is, without a space', () => {
    const query = sql`
      ${sql`a`}
      + ${sql`b`}
    `
    expect(textOf(query)).toBe('a + b')
  })

  it('is the same text as the template on one line, and the same parameters', () => {
    const value = text('x')
    const query = sql`
      SELECT a
      FROM t
      WHERE a = ${value} AND b > ${param('Int64', '5')}
    `
    expect(render(query)).toEqual(render(sql`SELECT a FROM t WHERE a = ${value} AND b > ${param('Int64', '5')}`))
  })

  it('is the same text each time that it is evaluated', () => {
    const made = (name: Sql) => sql`
      SELECT ${name}
      FROM t
    `
    expect([sql`a`, sql`b`].map((name) => textOf(made(name)))).toEqual(['SELECT a FROM t', 'SELECT b FROM t'])
  })
})

describe('white space that is left as it is', () => {
  it('on one line, including at the ends', () => expect(textOf(sql` a  b( c ) `)).toBe(' a  b( c ) '))

  it.each<[string, Sql, string]>([
    [
      'in a string',
      sql`a = 'x
  y' AND b`,
      "a = 'x\n  y' AND b",
    ],
    [
      'in a string with escaped quotes',
      sql`a = 'it''s \\'
  y'`,
      "a = 'it''s \\'\n  y'",
    ],
    [
      'in a name between back-ticks',
      sql`\`a
  b\``,
      '`a\n  b`',
    ],
    [
      'in a name between double quotes',
      sql`"a
  b"`,
      '"a\n  b"',
    ],
  ])('%s', (_, query, expected) => expect(textOf(query)).toBe(expected))

  it('in a value', () => {
    expect(textOf(sql`a = ${trusted("'\n  (\n'")}`)).toBe("a = '\n  (\n'")
    expect(render(sql`a = ${text('x\n  y')}`).params).toEqual({ p0: 'x\n  y' })
  })

  it('next to a bracket that is quoted, where a line break is still a space', () => {
    const query = sql`
      startsWith(a, '(')
      AND b = ')'
      OR c
    `
    expect(textOf(query)).toBe("startsWith(a, '(') AND b = ')' OR c")
  })
})

it('a value inside quotes is refused', () => {
  expect(() => sql`a = '${sql`b`}'`).toThrow('A quote is not closed')
})
