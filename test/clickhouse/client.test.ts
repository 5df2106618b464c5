import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { QueryFailed } from '../../server/clickhouse/clickhouse-errors.ts'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { Problem } from '../../server/problem/problem.ts'
import { openDatabase } from '../support/engine.ts'
import { clientOf, column, query, until } from '../support/own-engine.ts'
import { collectWarnings } from '../support/warnings.ts'

let clickhouse: ClickHouse
beforeAll(() => {
  clickhouse = openDatabase('default', { queryRowsMax: Number.MAX_SAFE_INTEGER })
})
afterAll(() => clickhouse.close())

const forever = 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1'

async function problemOf(read: Promise<unknown>): Promise<Problem> {
  const error = await read.then(
    () => new Error('It was answered.'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Problem)
  return error as Problem
}

function running(marker: string): Promise<unknown[]> {
  const other = "query NOT LIKE '%system.processes%'"
  return column(clickhouse, `SELECT query_id FROM system.processes WHERE query LIKE '%${marker}%' AND ${other}`)
}

describe('a read', () => {
  it('binds parameters with any content', async () => {
    const hostile = "it's \\ `\"\n\t\0 {p1:String} '; DROP TABLE x -- \u{1F600}"
    const bound = query('SELECT {p0:String} AS text', { p0: hostile })
    const { rows } = await clickhouse.read(bound, { for: 'system', label: 'a test' })
    expect(rows).toEqual([{ text: hostile }])
  })

  it('returns integers of 64 bits and more, and numbers that JSON cannot represent, as strings', async () => {
    const { rows } = await clickhouse.read(
      query(
        'SELECT {p0:UInt64} AS u64, toInt64(-5) AS i64, toUInt128(1) AS u128, toUInt32(7) AS u32, nan AS n, -inf AS i',
        {
          p0: '18446744073709551615',
        },
      ),
      { for: 'system', label: 'a test' },
    )
    expect(rows).toEqual([{ u64: '18446744073709551615', i64: '-5', u128: '1', u32: 7, n: 'nan', i: '-inf' }])
  })

  it('returns whole rows of large results, wherever these are cut to be parsed', async () => {
    for (let length = 262_100; length <= 262_144; length += 4) {
      const { rows } = await clickhouse.read<{ text: string }>(
        query('SELECT repeat({p0:String}, {p1:UInt32}) AS text', { p0: 'x', p1: String(length) }),
        { for: 'system', label: 'a test' },
      )
      expect(rows.map(({ text }) => text.length)).toEqual([length])
    }
  })

  it('shares its signal with any number of others, without a warning of Node.js', async () => {
    const warnings = collectWarnings()
    const { signal } = new AbortController()
    const read = () => clickhouse.read(query('SELECT 1 AS one'), { for: 'system', label: 'a test', signal })
    const reads = await Promise.all(Array.from({ length: 30 }, read))
    expect(reads.map(({ rows }) => rows)).toEqual(Array(30).fill([{ one: 1 }]))
    expect(warnings).toEqual([])
  })

  it('reports what it cost', async () => {
    const read = await clickhouse.read(query('SELECT sum(number) FROM numbers(100000)'), {
      for: 'system',
      label: 'a test',
    })
    expect(read).toMatchObject({ rowsRead: 100_000, bytesRead: 800_000 })
    expect(read.elapsedMs).toBeGreaterThan(0)
    expect(read.memoryBytes).toBeGreaterThan(0)
  })

  it('accepts parameters that are too long for a URL', async () => {
    const p0 = 'it\'s \\ `"\n\t\0\r\n\u{1F600}'.repeat(3_000)
    const p1 = `[${Array.from({ length: 3_000 }, (_, index) => index).join(',')}]`
    const long = query('SELECT {p0:String} AS text, length({p1:Array(UInt128)}) AS n', { p0, p1 })
    const options = { for: 'system', label: 'a test' } as const
    expect((await clickhouse.read(long, options)).rows).toEqual([{ text: p0, n: '3000' }])
    const blocks: unknown[] = []
    for await (const rows of clickhouse.readBlocks(long, options)) blocks.push(...rows)
    expect(blocks).toEqual([{ text: p0, n: '3000' }])
  })

  it.each([0, 200_000, 2_000_000])('sends tables with a query of %i more bytes', async (bytes) => {
    const rowBinary = Buffer.from(`0001${'00'.repeat(15)}01${'ff'.repeat(16)}`, 'hex')
    const tables = [{ name: 'sent', structure: 'side UInt8, id UInt128', rowBinary }]
    const text = `SELECT side, id, {p0:String} AS text FROM sent /* ${"'&%`".repeat(bytes / 4)} */ ORDER BY side`
    const options = { for: 'system', label: 'a test', tables } as const
    const expected = ['1', String(2n ** 128n - 1n)].map((id, side) => ({ side, id, text: "it's" }))
    expect((await clickhouse.read(query(text, { p0: "it's" }), options)).rows).toEqual(expected)
  })

  it('cannot write', async () => {
    for (const text of [
      'CREATE TABLE written (x UInt8) ENGINE = Memory',
      "INSERT INTO FUNCTION null('x UInt8') VALUES (1)",
    ]) {
      await expect(clickhouse.read(query(text), { for: 'system', label: 'a test' })).rejects.toMatchObject({
        code: '164',
      })
    }
  })

  it('cannot raise its own limits', async () => {
    const text = 'SELECT 1 SETTINGS max_execution_time = 1000'
    await expect(clickhouse.read(query(text), { for: 'system', label: 'a test' })).rejects.toMatchObject({
      code: '164',
    })
  })

  it('fails with an error that names the query and none of its values when ClickHouse refuses it', async () => {
    const refused = clickhouse.read(query('SELECT {p0:UInt64}', { p0: 'a secret' }), {
      for: 'system',
      label: 'the search',
    })
    await expect(refused).rejects.toBeInstanceOf(QueryFailed)
    await expect(refused).rejects.toMatchObject({
      message: 'ClickHouse refused the search: BAD_QUERY_PARAMETER (code 457).',
    })
  })

  it('reports a regular expression that RE2 refuses as an error of the caller', async () => {
    const bound = query('SELECT match(toString(number), {p0:String}) FROM numbers(1)', { p0: '(?<=a)b' })
    expect(await problemOf(clickhouse.read(bound, { for: 'system', label: 'a test' }))).toMatchObject({
      code: 'invalid_request',
      status: 400,
    })
  })
})

/** Returns expressions of which each contains the one before it twice, so that the last one has 2^n parts. */
function doubled(n: number): string {
  const sums = Array.from({ length: n }, (_, index) => `x${index} + x${index} AS x${index + 1}`)
  return ['number AS x0', ...sums].join(', ')
}

describe('a limit fails the whole query', () => {
  const cases = [
    ['time', { querySecondsMax: 1 }, forever, 'query_timeout', 'QUERY_SECONDS_MAX'],
    [
      'memory',
      { queryMemoryBytesMax: 2 ** 24 },
      'SELECT uniqExact(number) FROM numbers(10000000)',
      'query_too_large',
      'QUERY_MEMORY_MAX',
    ],
    [
      'rows read',
      { queryRowsMax: 1_000 },
      'SELECT count() FROM numbers(2000) WHERE number > 1',
      'query_too_large',
      'QUERY_ROWS_MAX',
    ],
    ['rows answered', {}, 'SELECT number FROM numbers(1000001)', 'query_too_large', 'one response'],
    ['size', {}, `WITH ${doubled(24)} SELECT x24 FROM numbers(1)`, 'query_too_large', 'more conditions'],
  ] as const
  it.each(cases)('%s', async (_, limits, text, code, detail) => {
    const limited = openDatabase('default', { queryRowsMax: Number.MAX_SAFE_INTEGER, ...limits })
    const found = await problemOf(limited.read(query(text), { for: 'system', label: 'a test' }))
    expect(found.code).toBe(code)
    expect(found.message).toContain(detail)
    await limited.close()
  })
})

it('a query that takes too long to parse is too large', async () => {
  const limited = openDatabase('default', {})
  const settings = { max_parser_backtracks: 1 } as const
  const nested = query('SELECT ((1 + 1) * (2 + (3 - 1)), (4, (5, 6)))')
  const read = limited.read(nested, { for: 'system', label: 'a test', settings })
  expect((await problemOf(read)).code).toBe('query_too_large')
  await limited.close()
})

it('a query that fails after its first blocks rejects with the reason', async () => {
  const text = 'SELECT number FROM numbers(400000)'
  const streamed = { wait_end_of_query: 0, http_response_buffer_size: 0, max_threads: 1 }
  const settings = { ...streamed, max_result_rows: 300_000, max_block_size: 10_000 }
  let rows = 0
  const reading = async () => {
    for await (const block of clickhouse.readBlocks(query(text), { for: 'system', label: 'a test', settings }))
      rows += block.length
  }
  await expect(reading()).rejects.toMatchObject({ code: 'query_too_large' })
  expect(rows).toBeGreaterThan(0)
})

it('a query can lower the limit of rows read, but not raise it', async () => {
  const limited = openDatabase('default', { queryRowsMax: 1_000 })
  const readRows = (rows: number, rowsReadMax: number) =>
    limited.read(query(`SELECT count() FROM numbers(${rows}) WHERE number > 1`), {
      for: 'system',
      label: 'a test',
      rowsReadMax,
    })
  await readRows(500, 1_000_000)
  expect((await problemOf(readRows(500, 100))).code).toBe('query_too_large')
  expect((await problemOf(readRows(2_000, 1_000_000))).code).toBe('query_too_large')
  await limited.close()
})

it('a query gets at most a share of the memory of a small server', async () => {
  const endpoint = { ...inject('engine'), memoryBytesMax: 2 ** 24 }
  const small = clientOf({ state: 'ready', endpoint: () => endpoint }, 'default')
  const read = small.read(query('SELECT uniqExact(number) FROM numbers(10000000)'), { for: 'system', label: 'a test' })
  expect((await problemOf(read)).code).toBe('query_too_large')
})

describe('a caller that aborts', () => {
  it('cancels its query in ClickHouse', async () => {
    const caller = new AbortController()
    const read = clickhouse.read(query(`${forever} OR 'gone-away' = ''`), {
      for: 'system',
      label: 'a test',
      signal: caller.signal,
    })
    read.catch(() => undefined)
    await until(async () => (await running('gone-away')).length > 0)
    caller.abort()
    await expect(read).rejects.toThrow('aborted')
    await until(async () => (await running('gone-away')).length === 0)
  })

  it('prevents a query that has not started', async () => {
    const read = clickhouse.read(query('SELECT 1'), { for: 'system', label: 'a test', signal: AbortSignal.abort() })
    await expect(read).rejects.toThrow('aborted')
  })
})

describe('while one organization holds all turns', () => {
  const narrowLimits = { queriesConcurrentMax: 1, queryRowsMax: Number.MAX_SAFE_INTEGER }
  const one = query('SELECT 1 AS one')
  const label = 'a test'

  /** Starts a query of an organization that runs until it is aborted. */
  function occupy(narrow: ClickHouse) {
    const caller = new AbortController()
    const readFor = { org: 'flood', isBackground: false }
    const read = narrow.read(query(forever), { for: readFor, label, signal: caller.signal })
    return async () => {
      caller.abort()
      await expect(read).rejects.toThrow('aborted')
    }
  }

  it('16 further reads wait, and more are refused', async () => {
    const narrow = openDatabase('default', narrowLimits)
    const end = occupy(narrow)
    const readFor = { org: 'flood', isBackground: false }
    const waiting = Array.from({ length: 16 }, () => narrow.read<{ one: number }>(one, { for: readFor, label }))
    const refused = await problemOf(narrow.read(one, { for: readFor, label }))
    expect(refused).toMatchObject({ code: 'too_many_requests', extras: { retryAfterSeconds: 1 } })
    expect(narrow.queues.reads).toEqual({ held: 1, waiting: 16 })
    await end()
    for (const { rows } of await Promise.all(waiting)) expect(rows).toEqual([{ one: 1 }])
    await narrow.close()
  })

  it('the reads of another, of its alert rules and of the server itself are answered', async () => {
    const narrow = openDatabase('default', narrowLimits)
    const end = occupy(narrow)
    const waiting = narrow.read(one, { for: { org: 'flood', isBackground: false }, label })
    for (const readFor of [
      { org: 'calm', isBackground: false },
      { org: 'flood', isBackground: true },
      'system',
    ] as const)
      expect((await narrow.read(one, { for: readFor, label })).rows).toEqual([{ one: 1 }])
    await end()
    await waiting
    await narrow.close()
  })
})

describe('a ClickHouse that is unavailable', () => {
  const nowhere = { url: 'http://127.0.0.1:1', username: 'default', password: '' }
  const sources = [
    ['because it is starting', { state: 'starting', endpoint: () => undefined }],
    ['because nothing listens', { state: 'ready', endpoint: () => nowhere }],
  ] as const
  it.each(sources)('%s fails every call with a retryable error', async (_, source) => {
    const unreachable = clientOf(source)
    const expected = { code: 'unavailable', status: 503, extras: { retryAfterSeconds: 2 } }
    expect(await problemOf(unreachable.read(query('SELECT 1'), { for: 'system', label: 'a test' }))).toMatchObject(
      expected,
    )
    expect(await problemOf(unreachable.command('SELECT 1'))).toMatchObject(expected)
    const insert = unreachable.insert('numbers', ['n'], Buffer.alloc(8), { org: 'acme', dedupToken: 'a', rows: 1 })
    expect(await problemOf(insert)).toMatchObject(expected)
    expect(await unreachable.ping()).toBe(false)
  })
})
