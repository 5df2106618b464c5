import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { traceMeasures } from '../../sql/index.ts'
import { root } from '../tidy/source-file.ts'

it('docs/alert-rules.md has a row for each measure of trace rules, in their order', () => {
  const page = readFileSync(join(root, 'docs/alert-rules.md'), 'utf8')
  const [, table = ''] = page.split('| `measure` of a trace rule |')
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)]
  expect(rows.map(([, measure]) => measure)).toEqual(traceMeasures)
})
