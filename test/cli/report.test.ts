import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createReport, lineOf, type ReportStyle } from '../../server/cli/import/report.ts'

function collect() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY: true, columns: 200 }), text: () => text }
}

/** Returns a report after two of ten seconds: a fifth of the bytes, 100 spans, 5 of them rejected. */
function reportAt2s(style: ReportStyle) {
  const [stdout, stderr] = [collect(), collect()]
  let now = 0
  const report = createReport({
    style,
    totalBytes: 1_000,
    everySeconds: 3_600,
    stdout: stdout.stream,
    stderr: stderr.stream,
    clock: () => now,
  })
  report.startFile('shop.jsonl')
  now = 2_000
  report.bytes(200)
  report.outcome({ accepted: 95, rejected: 5, reasons: [] })
  return { report, stdout, stderr }
}

it('reports rate, rejected spans and remaining time', () => {
  const { report } = reportAt2s('lines')
  expect(report.snapshot()).toEqual({
    file: 'shop.jsonl',
    percent: 20,
    accepted: 95,
    rejected: 5,
    records_per_second: 50,
    elapsed_s: 2,
    left_s: 8,
  })
})

it('writes the same as a plain line', () => {
  const { report } = reportAt2s('lines')
  expect(lineOf(report.snapshot())).toBe('20 %  95 records  50/s  rejected 5  8 s left  shop.jsonl')
})

it('shows a bar on a terminal, with notes above it', () => {
  const { report, stderr } = reportAt2s('bar')
  report.note('waiting: the server answered 503')
  report.end()
  expect(stderr.text()).toContain('0 %  0 records')
  expect(stderr.text()).toContain('waiting: the server answered 503\n')
})

it('shows each of the first five reasons for rejections once', () => {
  const { report, stderr } = reportAt2s('lines')
  const reasons = Array.from({ length: 6 }, (_, index) => `reason ${index}`)
  for (const reason of ['reason 0', ...reasons]) report.outcome({ accepted: 0, rejected: 1, reasons: [reason] })
  report.end()
  expect(stderr.text()).toBe(
    reasons
      .slice(0, 5)
      .map((reason) => `rejected: ${reason}\n`)
      .join(''),
  )
})

it('shows what a terminal would obey as spaces', () => {
  const { report, stderr } = reportAt2s('lines')
  report.outcome({ accepted: 0, rejected: 1, reasons: ['the name \u001b[2K\r\n\u009bis empty'] })
  report.end()
  expect(stderr.text()).toBe('rejected: the name  [2K is empty\n')
})
