import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { forwardEngineLog } from '../../server/clickhouse/engine/engine-log.ts'

async function forward(lines: readonly string[], secrets: readonly string[] = []) {
  const logged: string[] = []
  const lastWords: string[] = []
  const damagedParts: string[] = []
  const log = (level: string) => (_: object, message: string) => logged.push(`${level}: ${message}`)
  const stream = new PassThrough()
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const ended = forwardEngineLog(
    stream,
    logger,
    secrets,
    (line) => lastWords.push(line),
    (damage) => damagedParts.push(damage),
  )
  stream.end(lines.map((line) => `${line}\n`).join(''))
  await ended
  return { logged, lastWords, damagedParts }
}

const line = (level: string, text: string) => `2026.11.21 09:19:48.857457 [ 9264 ] {an id} <${level}> ${text}`

it('forwards the lines of the engine at a suitable level', async () => {
  const { logged } = await forward([
    line('Fatal', 'BaseDaemon: Received signal'),
    line('Error', 'MergeTree: Cannot read'),
    line('Warning', 'Context: Slow'),
    line('Information', 'Application: Ready'),
  ])
  expect(logged).toEqual([
    'error: BaseDaemon: Received signal',
    'warn: MergeTree: Cannot read',
    'debug: Context: Slow',
    'debug: Application: Ready',
  ])
})

it('finds the error that ended the engine at the end of a line of the log, and no error that was logged', async () => {
  const error = 'Code: 62. DB::Exception: Syntax error (in file numbers.sql): failed at position 1'
  const { lastWords } = await forward([
    line('Information', `DatabaseAtomic (test): Metadata disk default, path /data/${error}`),
    line('Error', 'MergeTree: Code: 241. DB::Exception: memory limit exceeded'),
    line('Information', "executeQuery: SELECT 'Code: 6. DB::Exception: a value'"),
    'Code: 210. DB::NetException: Address already in use',
  ])
  expect(lastWords).toEqual([error, 'Code: 210. DB::NetException: Address already in use'])
})

it('names a damaged part, also where the line begins with the text of another thread', async () => {
  const damage = 'Code: 241. DB::Exception: too short: columns: columns format version: 1'
  const broken = (part: string) =>
    `numbers: Part /data/${part}/ is broken and needs manual correction. Reason: ${damage}`
  const { damagedParts } = await forward([
    line('Error', broken('1_1_1_0')),
    `Code: 695. DB::Exception: Load job failed${line('Error', broken('2_2_2_0'))}`,
    line('Information', `Application: Ready${line('Error', broken('3_3_3_0'))}`),
  ])
  expect(damagedParts).toEqual([1, 2, 3].map((n) => `/data/${n}_${n}_${n}_0 (too short)`))
})

it('keeps errors of queries, which contain values, and stack traces out of the log and the last words', async () => {
  const { logged, lastWords } = await forward([
    line('Error', "DynamicQueryHandler: Code: 6. DB::Exception: Cannot parse string 'a value', Stack trace:"),
    '',
    '0. ? @ 0x000000001c8fa4b3',
    ' (version 26.7.2.1)',
    line('Error', 'executeQuery: Code: 6. (in query: SELECT)'),
  ])
  expect(logged).toEqual([])
  expect(lastWords).toEqual([])
})

it('drops every line that contains a secret', async () => {
  const { logged, lastWords } = await forward(
    [line('Error', 'Config: the password is hunter2'), 'hunter2'],
    ['hunter2'],
  )
  expect([...logged, ...lastWords]).toEqual([])
})

it('reports output outside the log format, such as the reason of a failed start', async () => {
  const { logged, lastWords } = await forward(['Code: 76. DB::Exception: Cannot open file'])
  expect(lastWords).toEqual(['Code: 76. DB::Exception: Cannot open file'])
  expect(logged).toEqual(['debug: Code: 76. DB::Exception: Cannot open file'])
})
