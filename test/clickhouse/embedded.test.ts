import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { runner } from '../support/fork-typescript.ts'
import { clientOf, column, createNumbers, insertNumbers, isAlive, startEngine, until } from '../support/own-engine.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { OwnedEngine } from './engine-owner.ts'

function runTypeScript(program: string, args: readonly string[], nodeArgs: readonly string[] = []) {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [...nodeArgs, runner, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Starts another server process, with an engine on `dataDir`. */
async function startOwner(dataDir: string) {
  const owner = runTypeScript('./engine-owner.ts', [dataDir])
  const [line] = await new Promise<string[]>((resolve) =>
    createInterface(owner.stdout).once('line', (text) => resolve([text])),
  )
  return { owner, engine: JSON.parse(line ?? '') as OwnedEngine }
}

/** Finds the process of an engine that has not reported its process id yet. `known` is that of another one. */
function engineOn(dataDir: string, known?: number): number | undefined {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = processes.find((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.includes('embedded-engine') && command.includes(dataDir) && Number(pid) !== known
    } catch {
      return false
    }
  })
  return found === undefined ? undefined : Number(found)
}

const numbers = (clickhouse: Parameters<typeof column>[0]) =>
  column(clickhouse, 'SELECT toUInt32(n) FROM numbers ORDER BY n')

describe('rows', () => {
  it('are kept over an orderly restart', async () => {
    const dataDir = temporaryFolder()
    const first = await startEngine(dataDir)
    const before = clientOf(first)
    await createNumbers(before)
    await insertNumbers(before, 'a', [[1, 1]])
    await before.close()
    await first.stop()
    expect(first.state).toBe('stopped')
    const after = clientOf(await startEngine(dataDir))
    await insertNumbers(after, 'a', [[1, 1]])
    expect(await numbers(after)).toEqual([1])
  })

  it('that were acknowledged are stored once, even if the engine is killed and bodies are sent again', async () => {
    const engine = await startEngine(temporaryFolder())
    const clickhouse = clientOf(engine)
    await createNumbers(clickhouse)
    const bodies = Array.from({ length: 60 }, (_, index) => [
      [2 * index, 1],
      [2 * index + 1, 2],
    ])
    const acknowledge = async (body: number[][], index: number): Promise<void> => {
      await until(() =>
        insertNumbers(clickhouse, `body ${index}`, body).then(
          () => true,
          () => false,
        ),
      )
      if (index % 20 === 10 && engine.pid !== undefined) process.kill(engine.pid, 'SIGKILL')
    }
    const half = bodies.length / 2
    await Promise.all(
      [0, half].map(async (from) => {
        for (let index = from; index < from + half; index++) await acknowledge(bodies[index] ?? [], index)
      }),
    )
    await until(() => clickhouse.ping())
    expect(await numbers(clickhouse)).toEqual(bodies.flat().map(([n]) => n))
  })

  it('of a body that the engine logged but did not store before it died are stored when it is sent again', async () => {
    const dataDir = temporaryFolder()
    const first = await startEngine(dataDir)
    const before = clientOf(first)
    await createNumbers(before)
    await insertNumbers(before, 'a', [[1, 1]])
    await insertNumbers(before, 'b', [[2, 2]])
    const [part] = await column(before, "SELECT path FROM system.parts WHERE table = 'numbers' AND partition = '2'")
    await before.close()
    await first.stop()
    rmSync(String(part), { recursive: true })
    const after = clientOf(await startEngine(dataDir))
    await insertNumbers(after, 'a', [[1, 1]])
    await insertNumbers(after, 'b', [[2, 2]])
    expect(await numbers(after)).toEqual([1, 2])
  })

  it('are still deduplicated after a record of the log was truncated', async () => {
    const dataDir = temporaryFolder()
    const first = await startEngine(dataDir)
    const before = clientOf(first)
    await createNumbers(before)
    await insertNumbers(before, 'a', [[1, 1]])
    const [folder] = await column(
      before,
      "SELECT data_paths[1] FROM system.tables WHERE database = 'test' AND name = 'numbers'",
    )
    await before.close()
    await first.stop()
    const logs = path.join(String(folder), 'deduplication_logs')
    appendFileSync(path.join(logs, readdirSync(logs)[0] ?? ''), '1\t2_9')
    const second = await startEngine(dataDir)
    const between = clientOf(second)
    await insertNumbers(between, 'b', [[2, 1]])
    await between.close()
    await second.stop()
    const after = clientOf(await startEngine(dataDir))
    await insertNumbers(after, 'a', [[1, 1]])
    await insertNumbers(after, 'b', [[2, 1]])
    expect(await numbers(after)).toEqual([1, 2])
  })
})

describe('an engine', () => {
  it('restarts after it is killed; until then every call fails as unavailable', async () => {
    const engine = await startEngine(temporaryFolder())
    const clickhouse = clientOf(engine, 'default')
    const killed = engine.pid ?? 0
    process.kill(killed, 'SIGKILL')
    await until(() => engine.state === 'restarting')
    await expect(column(clickhouse, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
    await until(() => engine.state === 'ready')
    expect(engine.pid).not.toBe(killed)
    expect(await column(clickhouse, 'SELECT 1')).toEqual([1])
  })

  it('that is killed is reported as killed, also the second time and after a query that failed', async () => {
    const reports: object[] = []
    const logger = { ...silentLogger, error: (fields: object) => void reports.push(fields) }
    const engine = await startEmbeddedEngine({ dataDir: temporaryFolder(), logger })
    onTestFinished(() => engine.stop())
    for (const count of [1, 2]) {
      const pid = await until(() => engine.pid)
      await expect(column(clientOf(engine, 'default'), 'SELECT throwIf(1)')).rejects.toThrow()
      process.kill(pid, 'SIGKILL')
      await until(() => reports.length === count)
    }
    expect(reports).toEqual(Array(2).fill({ component: 'clickhouse', lastWords: 'It ended with SIGKILL.' }))
  })

  it('that is killed while it starts has no damaged files', async () => {
    const dataDir = temporaryFolder()
    // The second one waits for the first.
    const first = await startEngine(dataDir)
    rmSync(path.join(dataDir, 'clickhouse', 'lock.json'))
    const second = startEmbeddedEngine({ dataDir, logger: silentLogger })
    second.catch(() => undefined)
    process.kill(await until(() => engineOn(dataDir, first.pid)), 'SIGKILL')
    await expect(second).rejects.toThrow(/was killed while it opened .*Its files are as they were: start again/)
  })

  it('ends with its server, even if the server is killed, and unlocks the directory', async () => {
    const dataDir = temporaryFolder()
    const { owner, engine } = await startOwner(dataDir)
    const before = clientOf({ state: 'ready', endpoint: () => engine.endpoint })
    await createNumbers(before)
    await insertNumbers(before, 'a', [[1, 1]])
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const after = clientOf(await startEngine(dataDir))
    await until(() => !isAlive(engine.pid))
    await insertNumbers(after, 'a', [[1, 1]])
    expect(await numbers(after)).toEqual([1])
  })

  it('ends with its server while it starts, even when its folder is deleted', async () => {
    const dataDir = temporaryFolder()
    const owner = runTypeScript('./engine-owner.ts', [dataDir])
    const starting = await until(() => engineOn(dataDir))
    owner.kill('SIGKILL')
    // The engine may still be adding files.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    await until(() => !isAlive(starting))
  })

  it('ends with its server while it runs a query', async () => {
    const { owner, engine } = await startOwner(temporaryFolder())
    const clickhouse = clientOf({ state: 'ready', endpoint: () => engine.endpoint }, 'default')
    const read = column(clickhouse, 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1')
    read.catch(() => undefined)
    await until(async () => (await column(clickhouse, 'SELECT count() > 1 FROM system.processes'))[0] === 1)
    owner.kill('SIGKILL')
    await until(() => !isAlive(engine.pid))
  })

  it('shuts down when it is stopped, even during a query', async () => {
    const engine = await startEngine(temporaryFolder())
    const clickhouse = clientOf(engine, 'default')
    const pid = engine.pid ?? 0
    const read = column(clickhouse, 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1')
    read.catch(() => undefined)
    await engine.stop()
    expect(isAlive(pid)).toBe(false)
    await expect(read).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends at once when it is stopped while it starts', async () => {
    const dataDir = temporaryFolder()
    // The second one waits for the first.
    const first = await startEngine(dataDir)
    rmSync(path.join(dataDir, 'clickhouse', 'lock.json'))
    const stopping = new AbortController()
    const second = startEmbeddedEngine({ dataDir, logger: silentLogger }, stopping.signal)
    second.catch(() => undefined)
    const pid = await until(() => engineOn(dataDir, first.pid))
    stopping.abort(new Error('no longer needed'))
    await expect(second).rejects.toThrow('no longer needed')
    expect(isAlive(pid)).toBe(false)
  })

  it('ends at once when it is stopped while it is restarted', async () => {
    const dataDir = temporaryFolder()
    const engine = await startEngine(dataDir)
    process.kill(engine.pid ?? 0, 'SIGKILL')
    await until(() => engine.state === 'restarting')
    const pid = await until(() => engineOn(dataDir))
    process.kill(pid, 'SIGSTOP')
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    await engine.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('suggests CLICKHOUSE_URL where the platform has no library', async () => {
    const elsewhere = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})"
    const program = '../../server/clickhouse/engine/embedded-engine.ts'
    const child = runTypeScript(program, [temporaryFolder(), 'config.xml', 'session'], ['--import', elsewhere])
    const exited = once(child, 'exit')
    const text = await child.stderr.toArray()
    expect(text.join('')).toBe(
      `There is no embedded ClickHouse for ${process.platform} riscv64: the package ` +
        `@chdb/lib-${process.platform}-riscv64${process.platform === 'linux' ? '-gnu' : ''} is not installed ` +
        '(Tracefold installs it on Linux x64 with glibc only). ' +
        'Set CLICKHOUSE_URL to use a ClickHouse server instead.\n',
    )
    expect(await exited).toEqual([78, null])
  })
})

describe('a data directory', () => {
  it('is refused while this process uses it', async () => {
    const dataDir = temporaryFolder()
    await startEngine(dataDir)
    await expect(startEmbeddedEngine({ dataDir, logger: silentLogger })).rejects.toThrow(
      `${dataDir}/clickhouse is in use by the process ${process.pid}.`,
    )
  })

  it('is refused while another process uses it, and that process continues', async () => {
    const dataDir = temporaryFolder()
    const { owner, engine } = await startOwner(dataDir)
    await expect(startEmbeddedEngine({ dataDir, logger: silentLogger })).rejects.toThrow(
      `in use by the process ${owner.pid}.`,
    )
    const clickhouse = clientOf({ state: 'ready', endpoint: () => engine.endpoint }, 'default')
    expect(await column(clickhouse, 'SELECT 1')).toEqual([1])
  })

  it('is available once the engine of a killed server has shut down', async () => {
    const dataDir = temporaryFolder()
    const first = await startEngine(dataDir)
    rmSync(path.join(dataDir, 'clickhouse', 'lock.json'))
    const second = startEngine(dataDir)
    expect(await column(clientOf(first, 'default'), 'SELECT 1')).toEqual([1])
    await first.stop()
    expect((await second).state).toBe('ready')
  })

  it('is free when the recorded process id belongs to another process', async () => {
    const dataDir = temporaryFolder()
    const engine = await startEngine(dataDir)
    await engine.stop()
    const reused = { pid: process.pid, started: 'long before this process' }
    writeFileSync(path.join(dataDir, 'clickhouse', 'lock.json'), JSON.stringify(reused))
    const again = await startEngine(dataDir)
    expect(again.state).toBe('ready')
  })
})
