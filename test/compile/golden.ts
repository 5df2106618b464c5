import path from 'node:path'
import { expect } from 'vitest'
import type { Query } from '../../sql/index.ts'

/** Holds a query against its file in `golden/`; `npx vitest run test/compile -u` writes the files anew. */
export async function expectGolden(name: string, query: Query): Promise<void> {
  const file = `${name.replaceAll(/\W+/g, '-')}.sql`
  await expect(printQuery(query)).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden', file))
}

/** The text with line breaks and indentation of its own, so that a change of it can be read, and the bound values. */
function printQuery({ text, params }: Query): string {
  const values = Object.entries(params).map(([name, value]) => `-- ${name} = ${JSON.stringify(value)}`)
  return `${breakLines(text)}\n\n${values.join('\n')}\n`
}

const beginsLine = /^(SELECT|FROM|WHERE|GROUP BY|HAVING|ORDER BY|ARRAY JOIN|LIMIT|AND|OR)\b/

function breakLines(text: string): string {
  let depth = 0
  let printed = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    if (character === ')') depth--
    const breaks = character === ' ' && beginsLine.test(text.slice(at + 1, at + 12))
    printed += breaks ? `\n${'  '.repeat(depth)}` : character
    if (character === '(' && text.startsWith('SELECT', at + 1)) printed += `\n${'  '.repeat(depth)}`
  }
  return printed
}
