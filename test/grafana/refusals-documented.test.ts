import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkTraceQl, InvalidTraceQl } from '../../sql/index.ts'
import { refusals } from '../../sql/traceql/refused-constructs.ts'
import { tableUnder } from '../tidy/markdown-table.ts'
import { root } from '../tidy/source-file.ts'

it('docs/grafana.md has a row for each refused construct, in their order', () => {
  const rows = tableUnder(readFileSync(join(root, 'docs/grafana.md'), 'utf8'), 'Refused')
  const entries = Object.values(refusals)
  expect(rows).toEqual(entries.map(({ construct, example, instead }) => [construct, `\`${example}\``, instead]))
})

it.each(Object.entries(refusals))(
  '%s: its example is refused, and what to ask instead is accepted',
  (name, refusal) => {
    const refused = () => checkTraceQl(refusal.example)
    expect(refused).toThrow(InvalidTraceQl)
    expect(refused).toThrow(refusal.instead)
    expect(faultOf(refusal.example)?.construct).toBe(name)
    for (const [, query = ''] of refusal.instead.matchAll(/`(\{.*?\})`/g)) expect(faultOf(query)).toBeUndefined()
  },
)

function faultOf(query: string): InvalidTraceQl | undefined {
  try {
    checkTraceQl(query)
    return undefined
  } catch (error) {
    if (error instanceof InvalidTraceQl) return error
    throw error
  }
}
