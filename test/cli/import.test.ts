import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importFiles, serverAddress } from '../../server/cli/import/import-command.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { delimited, exportRequest, toProtobuf, writeTemporary } from '../support/otlp-files.ts'
import { request, span } from '../support/otlp-json.ts'
import { countRows } from '../support/otlp-server.ts'
import { type CommandResult, type RunningCommand, runCommand, startCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Each test counts the spans of a separate organization. */
async function storage() {
  const org = crypto.randomUUID()
  const token = await app.token({ org, role: 'ingest' })
  const args = (file: string, ...more: string[]) => ['import', file, '--url', app.url, ...more]
  return {
    run: (file: string, ...more: string[]): Promise<CommandResult> =>
      runCommand(args(file, ...more), { TRACEFOLD_TOKEN: token }),
    start: (file: string, ...more: string[]): RunningCommand =>
      startCommand(args(file, ...more), { TRACEFOLD_TOKEN: token }, file === '-' ? 'pipe' : 'ignore'),
    logCount: () => countRows(app.app.clickhouse, org, 'log_records'),
    /** Counts stored rows, and distinct spans among them. */
    async counts() {
      const text = 'SELECT count() AS stored, uniqExact(trace_id, span_id) AS spans FROM spans WHERE org = {p0:String}'
      const { rows } = await app.app.clickhouse.read<{ stored: string; spans: string }>(
        { text, params: { p0: org } },
        { for: 'system', label: 'test' },
      )
      return { stored: Number(rows[0]?.stored), spans: Number(rows[0]?.spans) }
    },
  }
}

function linesOf(requests: number, spansEach: number): string {
  return Array.from(
    { length: requests },
    (_, index) => `${JSON.stringify(exportRequest([spansEach], 1 + index * spansEach))}\n`,
  ).join('')
}

it('sends every span of JSON lines, with exit code 0 and a summary', async () => {
  const { run, counts } = await storage()
  const { code, stderr } = await run(writeTemporary('a.jsonl', linesOf(20, 10)))
  expect(stderr).toMatch(/^200 records accepted, 0 rejected, in [\d.]+ s$/m)
  expect(code).toBe(0)
  expect(await counts()).toEqual({ stored: 200, spans: 200 })
})

it('sends compressed protobuf requests in requests of the given size', async () => {
  const { run, counts } = await storage()
  const requests = Array.from({ length: 30 }, (_, index) => toProtobuf(exportRequest([10], 1 + index * 10)))
  const { code } = await run(writeTemporary('a.pb.gz', gzipSync(delimited(requests))), '--batch-bytes', '2048')
  expect(code).toBe(0)
  expect(await counts()).toEqual({ stored: 300, spans: 300 })
})

it('sends several files one after the other', async () => {
  const { run, counts } = await storage()
  const second = writeTemporary('b.json', JSON.stringify(exportRequest([5], 1_000), undefined, 2))
  const { code } = await run(writeTemporary('a.jsonl', linesOf(1, 7)), second)
  expect(code).toBe(0)
  expect((await counts()).spans).toBe(12)
})

it('divides spans on more days than the server accepts in one request', async () => {
  const { run, counts } = await storage()
  const lines = Array.from({ length: 250 }, (_, day) => {
    const time = String(1_600_000_000_000_000_000n + BigInt(day) * 86_400_000_000_000n)
    return `${JSON.stringify(request(span({ startTimeUnixNano: time, endTimeUnixNano: time })))}\n`
  })
  const { code, stderr } = await run(writeTemporary('days.jsonl', lines.join('')))
  expect(stderr).toMatch(/^250 records accepted, 0 rejected/m)
  expect(code).toBe(0)
  expect((await counts()).spans).toBe(250)
})

it('stores a file once that is imported twice', async () => {
  const { run, counts } = await storage()
  const file = writeTemporary('a.jsonl', linesOf(3, 10))
  await run(file)
  expect((await run(file)).code).toBe(0)
  expect((await counts()).spans).toBe(30)
})

it('stores equal log records of a file each, and once if the file is imported twice', async () => {
  const { run, logCount } = await storage()
  const record = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'same' } }
  const line = `${JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })}\n`
  const file = writeTemporary('equal.jsonl', line.repeat(40_000))
  for (let i = 0; i < 2; i++) {
    const { code, stderr } = await run(file)
    expect(stderr).toMatch(/^40,000 records accepted, 0 rejected/m)
    expect(code).toBe(0)
    expect(await logCount()).toBe(40_000)
  }
})

it('counts and explains spans that the server rejects, with exit code 3, and stores the others', async () => {
  const { run, counts } = await storage()
  const text = linesOf(1, 3).replace(/"traceId":"\d+"/, `"traceId":"${'0'.repeat(32)}"`)
  const { code, stderr } = await run(writeTemporary('a.jsonl', text))
  expect(code).toBe(3)
  expect(stderr).toContain('2 records accepted, 1 rejected')
  expect(stderr).toMatch(/^rejected: 1 of 3 spans rejected/m)
  expect((await counts()).spans).toBe(2)
})

it('sends everything before the fault of a broken file, with exit code 6 and the position of the fault', async () => {
  const { run, counts } = await storage()
  const file = writeTemporary('a.jsonl', linesOf(5, 10))
  truncateSync(file, readFileSync(file).length - 30)
  const { code, stderr } = await run(file)
  expect(code).toBe(6)
  expect(stderr).toMatch(/at byte \d+: it ends within a JSON document/)
  expect((await counts()).spans).toBe(40)
})

it('ends with exit code 5 when the server rejects the credentials', async () => {
  const file = writeTemporary('a.jsonl', linesOf(1, 1))
  const { code, stderr } = await runCommand(['import', file, '--url', app.url, '--token', 'tf_nonsense'])
  expect(code).toBe(5)
  expect(stderr).toContain('the server answered 401')
  const viewer = await app.token({ role: 'viewer' })
  expect((await runCommand(['import', file, '--url', app.url], { TRACEFOLD_TOKEN: viewer })).code).toBe(5)
})

it('ends with exit code 4 when the server does not respond', async () => {
  const file = writeTemporary('a.jsonl', linesOf(1, 1))
  const args = ['import', file, '--url', 'http://127.0.0.1:9', '--token', 'x', '--retry-seconds', '0']
  const { code, stderr } = await runCommand(args)
  expect(code).toBe(4)
  expect(stderr).toContain('no response from http://127.0.0.1:9')
})

it('ends with exit code 2 before anything is sent when a file does not exist', async () => {
  const { run, counts } = await storage()
  const { code, stderr } = await run(writeTemporary('a.jsonl', linesOf(1, 1)), '/no/such/file')
  expect([code, stderr]).toEqual([2, '/no/such/file does not exist\n'])
  expect((await counts()).spans).toBe(0)
})

it('says how to name the files of a directory, and that a pattern matches none', async () => {
  const { run } = await storage()
  const folder = temporaryFolder()
  expect((await run(folder)).stderr).toBe(`${folder} is a directory. Name the files in it, such as ${folder}/*.jsonl\n`)
  expect((await run(`${folder}/*.jsonl`)).stderr).toBe(`No file matches ${folder}/*.jsonl\n`)
})

it('--json prints the result as one JSON line on standard output', async () => {
  const { run } = await storage()
  const { stdout } = await run(writeTemporary('a.jsonl', linesOf(2, 5)), '--json')
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ event: 'end', exit: 'done', percent: 100, accepted: 10, rejected: 0 })
})

it.each(['SIGINT', 'SIGKILL'] as const)('--resume continues an import that was ended by %s', async (signal) => {
  const { start, run, counts } = await storage()
  const file = writeTemporary('a.jsonl', linesOf(4_000, 4))
  const checkpoint = `${file}.import-checkpoint`
  // Thousands of requests, so that the import outlasts the second until the first checkpoint on any machine.
  const slow = start(file, '--batch-bytes', '1024', '--concurrency', '1')
  const acceptedSoFar = () => (existsSync(checkpoint) ? JSON.parse(readFileSync(checkpoint, 'utf8')).accepted : 0)
  while (acceptedSoFar() === 0) await sleep(20)
  slow.kill(signal)
  const { code, stderr } = await slow.ended
  expect(code).toBe(signal === 'SIGINT' ? 130 : null)
  if (signal === 'SIGINT') expect(stderr).toContain('with --resume to continue')
  const before = acceptedSoFar()
  expect(before).toBeLessThan(16_000)

  const resumed = await run(file, '--resume')
  expect(resumed.stderr).toContain(`resuming after ${before} records`)
  expect(resumed.stderr).toContain('16,000 records accepted, 0 rejected')
  expect(resumed.code).toBe(0)
  expect((await counts()).spans).toBe(16_000)
  expect(existsSync(checkpoint)).toBe(false)
})

it('refuses a checkpoint of another import; --state-dir sets the directory of checkpoints', async () => {
  const { run } = await storage()
  const stateDir = temporaryFolder()
  const file = writeTemporary('a.jsonl', linesOf(1, 1))
  const unreachable = ['--url', 'http://127.0.0.1:9', '--retry-seconds', '0', '--state-dir', stateDir]
  await run(file, ...unreachable)
  expect(existsSync(`${file}.import-checkpoint`)).toBe(false)
  const { code, stderr } = await run(file, '--resume', '--state-dir', stateDir)
  expect([code, stderr]).toEqual([2, expect.stringContaining('belongs to an import into http://127.0.0.1:9;')])
})

it('ends with exit code 1 when its checkpoint cannot be written', async () => {
  const { run } = await storage()
  const { code, stderr } = await run(writeTemporary('a.jsonl', linesOf(1, 1)), '--state-dir', '/nowhere')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^\/nowhere\/a\.jsonl\..* cannot be written: ENOENT/m)])
})

it('a refused token is reported before a fault of the file, and both are named', async () => {
  const cut = writeTemporary('cut.jsonl', linesOf(3, 7).slice(0, -20))
  const both = await runCommand(['import', cut, '--url', app.url], { TRACEFOLD_TOKEN: 'no-token' })
  expect(both.code).toBe(5)
  expect(both.stderr).toContain('the server answered 401: The credential is neither a JWT nor an API key.')
  expect(both.stderr).toMatch(/cut\.jsonl: at byte \d+:/)
})

it.each([false, true])('sends standard input with traces, logs and metrics, compressed: %s', async (isCompressed) => {
  const org = crypto.randomUUID()
  const timeUnixNano = `${Date.now()}000000`
  const lines = [
    exportRequest([7]),
    {
      resourceLogs: [
        { scopeLogs: [{ logRecords: [1, 2, 3].map((intValue) => ({ timeUnixNano, body: { intValue } })) }] },
      ],
    },
    {
      resourceMetrics: [
        { scopeMetrics: [{ metrics: [{ name: 'cpu', gauge: { dataPoints: [{ timeUnixNano, asDouble: 1.5 }] } }] }] },
      ],
    },
  ]
  const text = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
  const bytes = isCompressed ? gzipSync(text) : text
  const exit = await importFiles(
    ['-'],
    {
      url: app.url,
      token: await app.token({ org, role: 'ingest' }),
      concurrency: 2,
      batchBytes: 1_000_000,
      retrySeconds: 5,
      resume: false,
      stateDir: undefined,
      quiet: true,
      json: false,
    },
    {
      stdin: (async function* () {
        for (let from = 0; from < bytes.length; from += 100) yield bytes.subarray(from, from + 100)
      })(),
      stdout: process.stdout,
      stderr: Object.assign(Object.create(process.stderr), { isTTY: false, write: () => true }),
      fetch,
      clock: () => performance.now(),
      signal: new AbortController().signal,
    },
  )
  expect(exit).toBe('done')
  const text0 = `SELECT toString((SELECT count() FROM spans WHERE org = {p0:String})) AS spans,
    toString((SELECT count() FROM log_records WHERE org = {p0:String})) AS logs,
    toString((SELECT count() FROM metric_points WHERE org = {p0:String})) AS points`
  const { rows } = await app.app.clickhouse.read({ text: text0, params: { p0: org } }, { for: 'system', label: 'test' })
  expect(rows).toEqual([{ spans: '7', logs: '3', points: '1' }])
})

it('an import that waits for standard input ends when it is interrupted', async () => {
  const { start, counts } = await storage()
  const command = start('-', '--batch-bytes', '1024')
  command.stdin?.write(linesOf(20, 10))
  await expect.poll(async () => (await counts()).stored, { timeout: 60_000 }).toBeGreaterThan(0)
  command.kill('SIGINT')
  expect(await command.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('again from its start.') })
})

it('standard input cannot be resumed', async () => {
  expect((await (await storage()).run('-', '--resume')).stderr).toContain('cannot be resumed')
})

it.each([
  ['127.0.0.1:4318', 'http://127.0.0.1:4318'],
  ['localhost:4318', 'http://localhost:4318'],
  ['https://traces.example/base/', 'https://traces.example/base'],
  ['http://127.0.0.1:4318/v1/traces', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/v1/logs', 'http://127.0.0.1:4318'],
])('--url %s names the server %s', (address, endpoint) => {
  expect(serverAddress(address)).toBe(endpoint)
})

it.each(['http://', 'ftp://host', 'a b', 'host:port', 'http://host:4318?org=acme'])(
  '--url %s is refused with an example',
  (address) => {
    expect(() => serverAddress(address)).toThrow('is not the address of a server, such as http://127.0.0.1:4318')
  },
)

it('an address with a password is refused, because no request can be made to it, and is not repeated', () => {
  expect(() => serverAddress('http://me:secret@127.0.0.1:4318')).toThrow(/^--url must not contain a user name or/)
})

it('a token that no header can contain is refused at once, without it', async () => {
  const { code, stderr } = await runCommand(['import', '-', '--url', app.url], { TRACEFOLD_TOKEN: 'one\ntwo' })
  expect(stderr).toBe('The token must be one line of printable ASCII characters without spaces\n')
  expect(code).toBe(2)
})
