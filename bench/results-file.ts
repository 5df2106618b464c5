import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Section } from './section.ts'

const resultsFile = new URL('results.md', import.meta.url)

const title = [
  '# Bench results\n',
  'Clients, server and ClickHouse share one machine. Times are of requests over HTTP unless stated otherwise, and warm',
  'unless a column is marked cold: then the caches of ClickHouse are emptied before each request, while files may',
  'still be in the page cache of the operating system. CPU time is that of clients, server and ClickHouse for one',
  'request. Rows, bytes and the peak memory of the largest query are reported by ClickHouse.',
].join('\n')

/** Replaces the text of one section and keeps the others, so that sections can run separately. */
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

/** Writes the latest figures to docs/performance.md, between two markers. */
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
