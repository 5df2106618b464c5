/**
 * A lock that lets one server migrate at a time. It is kept in ClickHouse, which is the only thing that the servers
 * share.
 *
 * ClickHouse has no transactions, but a table can be created only once. The lock is a chain of tables `schema_lock_1`,
 * `schema_lock_2`, …; the table with the highest number counts, and its comment holds the time until which the lock is
 * held. A server that finds the lock free creates the table with the next number. The newest table is never dropped, so
 * no number is used twice, and a server that acts on an outdated view cannot win. The lease of a holder that was killed
 * expires.
 *
 * Behind a load balancer over several nodes, migrate through a single node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createLockTable, currentSeconds, dropLockTable, listLockTables, setLockHeldUntil } from '#sql'
import { errorCodes, QueryFailed } from '../clickhouse-errors.ts'
import type { ClickHouse } from '../client.ts'

export interface LockOptions {
  /** Seconds after which the lock expires if its holder does not renew it. */
  readonly leaseSeconds?: number
  readonly pollMs?: number
  /** Stops waiting for the lock when it aborts. */
  readonly signal?: AbortSignal | undefined
}

interface Lock {
  readonly number: number
  /** When the lock expires, in seconds since 1970 on ClickHouse's clock; 0 when it is released. */
  readonly heldUntil: number
  readonly now: number
}

/**
 * Calls `run` while holding the lock, and waits for the lock as long as another server holds it.
 * @throws the reason of `signal` when it aborts before the lock is held; all errors of `run`, and those of ClickHouse
 * before it
 */
export async function withMigrationLock(
  clickhouse: ClickHouse,
  run: () => Promise<void>,
  { leaseSeconds = 30, pollMs = 300, signal }: LockOptions = {},
): Promise<void> {
  let number = await tryAcquire(clickhouse, leaseSeconds)
  while (number === undefined) {
    await sleep(pollMs, undefined, { signal })
    number = await tryAcquire(clickhouse, leaseSeconds)
  }
  const held = number
  const renew = async () => clickhouse.command(setLockHeldUntil(held, (await readSeconds(clickhouse)) + leaseSeconds))
  const renewal = setInterval(() => renew().catch(() => undefined), (leaseSeconds * 1000) / 3)
  try {
    await run()
  } finally {
    clearInterval(renewal)
    // A lock that cannot be released expires, or another server took it over while this one was suspended.
    await clickhouse.command(setLockHeldUntil(held, 0)).catch(() => undefined)
  }
}

/** Returns the number of the acquired lock, or undefined when another server holds or took it. */
async function tryAcquire(clickhouse: ClickHouse, leaseSeconds: number): Promise<number | undefined> {
  const [newest] = await readLocks(clickhouse)
  if (newest !== undefined && newest.heldUntil > newest.now) return undefined
  const number = (newest?.number ?? 0) + 1
  const heldUntil = (await readSeconds(clickhouse)) + leaseSeconds
  try {
    await clickhouse.command(createLockTable(number, heldUntil))
  } catch (error) {
    if (error instanceof QueryFailed && error.code === errorCodes.TABLE_ALREADY_EXISTS) return undefined
    throw error
  }
  const locks = await readLocks(clickhouse)
  const superseded = locks.filter((lock) => lock.number !== locks[0]?.number)
  for (const lock of superseded) await clickhouse.command(dropLockTable(lock.number))
  return locks[0]?.number === number ? number : undefined
}

async function readLocks(clickhouse: ClickHouse): Promise<Lock[]> {
  const query = listLockTables(clickhouse.database)
  return (await clickhouse.read<Lock>(query, { for: 'system', label: 'the migration lock' })).rows
}

async function readSeconds(clickhouse: ClickHouse): Promise<number> {
  return (
    (await clickhouse.read<{ now: number }>(currentSeconds, { for: 'system', label: 'the time' })).rows[0]?.now ?? 0
  )
}
