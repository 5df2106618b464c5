import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { brokenSteps, journeysOf } from './journeys.ts'
import { parseSource, root } from './source-file.ts'

const journeys = journeysOf(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))
const passed = new Set([...journeys.flatMap(({ files }) => files), 'sql/index.ts'])
const sources = [...passed]
  .filter((path) => existsSync(join(root, path)))
  .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))

it.each([
  ['A search', 14],
  ['An OTLP body', 20],
  ['An alert', 20],
])('docs/architecture.md: %s passes %i files or fewer, each imported by one before it', (title, filesMax) => {
  const journey = journeys.find((each) => each.title === title)
  expect(journey?.files.length).toBeGreaterThan(5)
  expect(journey?.files.length).toBeLessThanOrEqual(filesMax)
  expect(journey && brokenSteps(journey, sources)).toEqual([])
})

it('reports where a journey does not match the code', () => {
  const text =
    '## Three journeys\n\n### A\n\n1. `server/a.ts`\n2. `server/b.ts`, `sql/c.ts`\n3. `server/gone.ts`\n\n## After\n`server/x.ts`\n'
  const [journey] = journeysOf(text)
  const written = [
    parseSource('server/a.ts', "import { c } from '#sql'"),
    parseSource('server/b.ts', ''),
    parseSource('sql/index.ts', "export { c } from './c.ts'"),
    parseSource('sql/c.ts', ''),
  ]
  expect(journey && brokenSteps(journey, written)).toEqual([
    'A: no file before server/b.ts imports it',
    'A: server/gone.ts does not exist',
  ])
})
