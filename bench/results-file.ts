import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Section } from './section.ts'

const resultsFile = new URL('results.md', import.meta.url)

const title =
  '# Bench results\n\nClients, server and ClickHouse shared one machine. Times are of answers over HTTP where nothing else is said, and warm unless a column says cold: then the engine’s caches were emptied before each answer, while files may still be in the memory of the operating system. CPU time is of clients, server and ClickHouse together, for one answer. Rows, bytes and the peak memory of the largest query are ClickHouse’s own numbers.'

/** Puts a section in its place, so that sections can be run by themselves; the others stay as they are. */
export function writeSection({ name }: Section, text: string, all: readonly Section[]): void {
  const known = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8') : ''
  const texts = all.map((section) => (section.name === name ? text : textOf(section, known)))
  const parts = all.flatMap((section, index) => {
    const part = texts[index] ?? ''
    return part === '' ? [] : [`${markerOf(section)}\n\n${part}`]
  })
  writeFileSync(resultsFile, `${[title, ...parts].join('\n\n')}\n`)
}

const performancePage = new URL('../docs/performance.md', import.meta.url)
const [tableBegins, tableEnds] = ['<!-- bench begins -->', '<!-- bench ends -->']

/** Puts the latest measurements into docs/performance.md, between two marks. */
export function writePerformanceTable(text: string): void {
  const page = readFileSync(performancePage, 'utf8')
  const [before, after] = [page.indexOf(tableBegins), page.indexOf(tableEnds)]
  if (before < 0 || after < before) throw new Error(`docs/performance.md lacks ${tableBegins} or ${tableEnds}`)
  writeFileSync(performancePage, `${page.slice(0, before)}${tableBegins}\n\n${text}\n\n${page.slice(after)}`)
}

function markerOf({ name }: Section): string {
  return `<!-- ${name} -->`
}

function textOf(section: Section, known: string): string {
  const [, after = ''] = known.split(markerOf(section))
  return (after.split('<!--')[0] ?? '').trim()
}
