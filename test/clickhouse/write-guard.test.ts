import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type EngineChild, startEngineChild } from '../../server/clickhouse/engine/engine-child.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = fileURLToPath(new URL('../../server/clickhouse/engine/write-guard', import.meta.url))
const library = join(folder, 'linux-x64.so')
const mebibyte = 2 ** 20
const diskMebibytes = 512
const leftBytes = 8 * mebibyte
const writtenBytes = 32 * mebibyte

/** Fills the disk except for `leftBytes`, and returns the function that frees it. */
function fillDisk(path: string): () => void {
  const filler = join(path, 'filler')
  const [, free = '0'] = execFileSync('df', ['--output=avail', '-B1', path], { encoding: 'utf8' }).trim().split('\n')
  execFileSync('fallocate', ['--length', String(Number(free) - leftBytes), filler])
  return () => rmSync(filler)
}

async function query({ endpoint }: EngineChild, text: string): Promise<void> {
  const credentials = { 'x-clickhouse-user': endpoint.username, 'x-clickhouse-key': endpoint.password }
  const response = await fetch(endpoint.url, {
    method: 'POST',
    body: text,
    headers: { ...endpoint.headers, ...credentials },
  })
  expect([response.status, await response.text()]).toEqual([200, ''])
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

describe('the embedded engine', () => {
  it('waits until a full disk has space for what it writes', async (test) => {
    const disk = temporaryFolder()
    const unmount = mountSmallDisk(disk, diskMebibytes)
    if (unmount === undefined) return test.skip('Mounting a file system requires root.')
    onTestFinished(unmount)
    const engine = await startEngineChild({ directory: disk, logger: silentLogger, memoryBytesMax: 2 ** 30 })
    onTestFinished(() => engine.stop())
    const free = fillDisk(disk)
    const file = join(disk, 'data', 'user_files', 'written')
    let ended = false
    const values = `SELECT randomString(${mebibyte}) FROM numbers(${writtenBytes / mebibyte})`
    const write = `INSERT INTO FUNCTION file('${file}', 'RawBLOB', 'a String') ${values}`
    const written = query(engine, write).finally(() => {
      ended = true
    })
    await expect.poll(() => leftBytes - sizeOf(file)).toBeLessThan(mebibyte)
    expect(ended).toBe(false)
    free()
    await written
    expect(sizeOf(file)).toBe(writtenBytes)
  })

  it('has the library in its process', async () => {
    const directory = temporaryFolder()
    const engine = await startEngineChild({ directory, logger: silentLogger, memoryBytesMax: 2 ** 30 })
    onTestFinished(() => engine.stop())
    expect(readFileSync(`/proc/${engine.pid}/maps`, 'latin1')).toContain(library)
  })
})

describe('the library', () => {
  it('ends a process whose file cannot be written for another reason', () => {
    const path = join(temporaryFolder(), 'too large')
    // `ulimit -f` counts KiB. Node ignores the signal that comes with the error.
    const program = 'fs.writeFileSync(process.argv[1], "a".repeat(4096)); fs.writeSync(1, "went on")'
    const script = `ulimit -f 1; exec ${process.execPath} -e '${program}' "$0"`
    const run = (env: NodeJS.ProcessEnv) => spawnSync('sh', ['-c', script, path], { encoding: 'utf8', env })
    const ignored = run({})
    expect([ignored.signal, ignored.stderr]).toEqual([null, expect.stringContaining('EFBIG')])
    const { signal, stdout, stderr } = run({ LD_PRELOAD: library })
    expect({ signal, stdout, stderr }).toEqual({
      signal: 'SIGKILL',
      stdout: '',
      stderr: 'A file could not be written, so the engine ends before it stores a part of it.\n',
    })
  })

  it('leaves errors of pipes to the process', () => {
    // Writes until the other process, which reads nothing, has ended.
    const write = 'try { for (;;) fs.writeSync(1, "a") } catch (error) { process.stderr.write(error.code) }'
    const script = `${process.execPath} -e '${write}' | true`
    const { stderr } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { LD_PRELOAD: library, PATH: process.env.PATH },
    })
    expect(stderr).toBe('EPIPE')
  })

  it('is what its source says', (test) => {
    const made = spawnSync('gcc', ['-dumpfullversion'], { encoding: 'utf8' })
    const compiler = '12.2.0'
    if (made.stdout?.trim() !== compiler) return test.skip(`Comparing the bytes needs gcc ${compiler}.`)
    const built = join(temporaryFolder(), 'built.so')
    execFileSync('sh', [join(folder, 'build.sh'), built])
    expect(readFileSync(built).equals(readFileSync(library))).toBe(true)
  })
})
