import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Random } from '../../test/support/random-source.ts'
import type { Progress } from '../section.ts'

/** The `tracefold` command as installed. */
export const program = fileURLToPath(new URL('../../server/cli/tracefold.mjs', import.meta.url))
const pollMs = 20
/** A kill comes up to this long after its number of rows, so that it may come at any moment of a request. */
const delayMsMax = 1_500
/** The last kill comes before this share of the rows was sent, so that no import ends before it is killed. */
const shareOfLastKill = 0.95

export interface KilledImport {
  readonly args: readonly string[]
  readonly token: string
  /** A new directory for the state of the import. */
  readonly stateDir: string
  readonly rows: number
  readonly kills: number
  readonly random: Random
  readonly progress: Progress
  /** The import ends only when it is interrupted. */
  readonly isFollowing: boolean
}

export interface KilledOutcome {
  readonly kills: number
  readonly seconds: number
}

/** Imports all rows in a separate process that is killed with -9 at random numbers of rows and started again. */
export async function importWithKills(options: KilledImport): Promise<KilledOutcome> {
  const { rows, random, isFollowing } = options
  const begin = performance.now()
  const at = Array.from({ length: options.kills }, () => random.below(Math.floor(rows * shareOfLastKill)))
  let kills = 0
  for (const after of at.sort((a, b) => a - b)) {
    const running = start(options)
    await untilSent(options, after, running.ended)
    await sleep(random.below(delayMsMax))
    running.kill('SIGKILL')
    if ((await running.ended) === null) kills++
  }
  const last = start(options)
  await untilSent(options, rows, last.ended)
  if (isFollowing) last.kill('SIGINT')
  const code = await last.ended
  if (code !== (isFollowing ? 130 : 0)) throw new Error(`the import ended with exit code ${code}`)
  options.progress.stop()
  return { kills, seconds: (performance.now() - begin) / 1_000 }
}

interface Running {
  /** Resolves to the exit code, which is null after a signal that was not caught. */
  readonly ended: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

function start({ args, token, stateDir }: KilledImport): Running {
  const child = spawn(process.execPath, [program, ...args, '--quiet', '--state-dir', stateDir], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TRACEFOLD_TOKEN: token },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { ended, kill: (signal) => void child.kill(signal) }
}

async function untilSent(options: KilledImport, rows: number, ended: Promise<unknown>): Promise<void> {
  const end = ended.then(() => true)
  while (sentOf(options.stateDir) < rows && !(await Promise.race([end, sleep(pollMs)])))
    options.progress.update(sentOf(options.stateDir))
}

/** Returns how many rows were recorded as sent. */
function sentOf(stateDir: string): number {
  const [directory = ''] = readdirSync(stateDir)
  try {
    return JSON.parse(readFileSync(join(stateDir, directory, 'state.json'), 'utf8')).accepted
  } catch {
    return 0
  }
}
