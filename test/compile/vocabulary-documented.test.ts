import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messageFields } from '../../sql/ir/message-field.ts'
import { operatorNames, operators, operatorTable } from '../../sql/operators.ts'
import { messageFieldNames } from '../support/reference-message-fields.ts'
import { tableUnder } from '../tidy/markdown-table.ts'
import { root } from '../tidy/source-file.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const semantics = read('docs/semantics.md').replaceAll(/\s+/g, ' ')

/** Returns the part of a page between two texts, which must occur in it. */
function between(page: string, start: string, end: string): string {
  const [, rest] = page.split(start)
  const [part] = rest?.split(end) ?? []
  if (part === undefined) throw new Error(`The page does not contain ${start}`)
  return part
}

/** Returns the names in the code spans of a text. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([a-z][\w. ]*)`/g)].flatMap(([, names = '']) => names.split(' '))
}

it('docs/semantics.md defines each operator, and lists which are positive and which are negative', () => {
  const rows = tableUnder(read('docs/semantics.md'), '3. Operators').map(([cell = '']) => namesIn(cell))
  expect(rows.flat().toSorted()).toEqual(operators.toSorted())
  const isNegative = (operator: keyof typeof operatorTable) => operatorTable[operator].negated
  expect(namesIn(between(semantics, 'Rows are positive (', ') or'))).toEqual(
    operators.filter((each) => !isNegative(each)),
  )
  expect(namesIn(between(semantics, ') or negative (', ').'))).toEqual(operators.filter(isNegative))
})

it('docs/semantics.md has the operator names of matchers and facet mappings, and the words of message filters', () => {
  const matcherNames = namesIn(between(semantics, 'Matchers use ', ' for '))
  expect(matcherNames.toSorted()).toEqual(operatorNames('matcher').toSorted())
  expect(namesIn(between(semantics, 'facet mappings use ', '. ')).toSorted()).toEqual(
    operatorNames('mapping').toSorted(),
  )
  const words = between(semantics, 'in the vocabulary of message filters: `', '`').split(', ')
  expect(words).toEqual(operators.map((operator) => operatorTable[operator].messageWords))
})

it('the reference, docs/questions.md and the API document have the fields of a message', () => {
  expect(messageFieldNames.toSorted()).toEqual(messageFields.toSorted())
  const page = between(read('docs/questions.md'), '## 10. ', '\n- ')
  const description = between(read('openapi/schemas/message-attribute-source.yaml'), 'Over all of its spans:', 'enum:')
  for (const text of [page, description])
    expect(messageFields.filter((field) => !text.includes(`\`${field}\``))).toEqual([])
})
