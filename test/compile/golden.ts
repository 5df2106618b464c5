import path from 'node:path'
import { expect } from 'vitest'
import type { Query } from '../../sql/index.ts'

/** Compares a query with its file in `golden/`. `npx vitest run test/compile -u` rewrites the files. */
export async function expectGolden(name: string, query: Query): Promise<void> {
  const file = `${name.replaceAll(/\W+/g, '-')}.sql`
  await expect(printQuery(query)).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden', file))
}

/** Returns the text with line breaks and indentation, so that changes are readable, and the bound values. */
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
