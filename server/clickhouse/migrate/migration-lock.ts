/**
 * One migrator at a time, over ClickHouse itself: it is what is migrated, whatever servers share it.
 *
 * ClickHouse has no transactions, but CREATE TABLE succeeds for one caller only. So the lock is a chain of tables
 * `schema_lock_1`, `schema_lock_2`, …, of which the one with the highest number counts: its comment says until when it is held.
 * Who finds it free creates the next number. The newest table is never dropped, so no number is ever used twice, and an
 * observation that has grown old cannot win. A killed holder's lease runs out.
 *
 * Behind a load balancer over several nodes, migrate through one of them; every statement may run twice anyway.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '../client.ts'
import { QueryFailed } from '../errors.ts'

export interface LockTiming {
  /** How long a holder that says nothing keeps the lock. */
  readonly leaseSeconds: number
  readonly pollMs: number
}

const defaultTiming: LockTiming = { leaseSeconds: 30, pollMs: 300 }

interface Lock {
  readonly number: number
  /** Seconds since 1970 on ClickHouse's clock; 0 when released. */
  readonly heldUntil: number
  readonly now: number
}

const tableAlreadyExists = '57'

const listLocks = `SELECT toUInt32(substring(name, 13)) AS number, toUInt32OrZero(comment) AS heldUntil, toUnixTimestamp(now()) AS now
FROM system.tables WHERE database = {p0:String} AND match(name, '^schema_lock_[0-9]+$') ORDER BY number DESC`

async function readLocks(clickhouse: ClickHouse): Promise<Lock[]> {
  const query = { text: listLocks, params: { p0: clickhouse.database } }
  return (await clickhouse.read<Lock>(query, { label: 'the migration lock' })).rows
}

async function readNow(clickhouse: ClickHouse): Promise<number> {
  const query = { text: 'SELECT toUnixTimestamp(now()) AS now', params: {} }
  return (await clickhouse.read<{ now: number }>(query, { label: 'the time' })).rows[0]?.now ?? 0
}

/** The number of the lock taken, or undefined when somebody else holds it or was faster. */
async function tryTake(clickhouse: ClickHouse, leaseSeconds: number): Promise<number | undefined> {
  const [newest] = await readLocks(clickhouse)
  if (newest !== undefined && newest.heldUntil > newest.now) return undefined
  const number = (newest?.number ?? 0) + 1
  const heldUntil = (await readNow(clickhouse)) + leaseSeconds
  try {
    await clickhouse.command(
      `CREATE TABLE schema_lock_${number} (held UInt8) ENGINE = MergeTree ORDER BY tuple() COMMENT '${heldUntil}'`,
    )
  } catch (error) {
    if (error instanceof QueryFailed && error.code === tableAlreadyExists) return undefined
    throw error
  }
  const locks = await readLocks(clickhouse)
  const superseded = locks.filter((lock) => lock.number !== locks[0]?.number)
  for (const lock of superseded) await clickhouse.command(`DROP TABLE IF EXISTS schema_lock_${lock.number} SYNC`)
  return locks[0]?.number === number ? number : undefined
}

async function setHeldUntil(clickhouse: ClickHouse, number: number, heldUntil: number): Promise<void> {
  await clickhouse.command(`ALTER TABLE schema_lock_${number} MODIFY COMMENT '${heldUntil}'`)
}

/** Runs `run` while holding the lock; waits for it as long as somebody else holds it. */
export async function withMigrationLock(
  clickhouse: ClickHouse,
  run: () => Promise<void>,
  { leaseSeconds, pollMs }: LockTiming = defaultTiming,
): Promise<void> {
  let number = await tryTake(clickhouse, leaseSeconds)
  while (number === undefined) {
    await sleep(pollMs)
    number = await tryTake(clickhouse, leaseSeconds)
  }
  const held = number
  const renewal = setInterval(
    async () => setHeldUntil(clickhouse, held, (await readNow(clickhouse)) + leaseSeconds).catch(() => undefined),
    (leaseSeconds * 1000) / 3,
  )
  try {
    await run()
  } finally {
    clearInterval(renewal)
    await setHeldUntil(clickhouse, held, 0)
  }
}
