import { expect, it } from 'vitest'
import { type Metadata, openMetadata } from '../../server/metadata/database.ts'
import { createLeases } from '../../server/metadata/lease.ts'
import { describeStores } from '../support/stores.ts'

const leaseMs = 30_000
const yearMs = 365 * 86_400_000

/** Two servers on one store, each with its own clock. */
async function twoServers(open: () => Promise<Metadata>) {
  const stores = [await open(), await open()] as const
  await stores[0].migrate()
  const server = (metadata: Metadata, holder: string) => {
    const clock = { now: new Date('2026-03-01T09:00:00.000Z') }
    const leases = createLeases({ metadata, holder, now: () => clock.now, leaseMs })
    const wait = (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms)
    }
    return { metadata, leases, wait }
  }
  const close = () => Promise.all(stores.map((store) => store.close()))
  return { first: server(stores[0], 'first'), second: server(stores[1], 'second'), close }
}

describeStores('leases', (newStore) => {
  const open = async () => {
    const options = await newStore()
    return twoServers(() => openMetadata(options))
  }

  it('a lease is held by one server until it expires, and then by the first server that takes it', async () => {
    const { first, second, close } = await open()
    expect(await first.leases.acquire('evaluate')).toMatchObject({ name: 'evaluate', token: 1 })
    expect(await second.leases.acquire('evaluate')).toBeUndefined()
    expect(await second.leases.acquire('another')).toMatchObject({ token: 1 })
    second.wait(leaseMs)
    expect(await second.leases.acquire('evaluate')).toMatchObject({ token: 2 })
    expect(await first.leases.acquire('evaluate')).toBeUndefined()
    await close()
  })

  it('the holder of a lease renews it with the same token', async () => {
    const { first, second, close } = await open()
    await first.leases.acquire('evaluate')
    first.wait(leaseMs / 2)
    expect(await first.leases.acquire('evaluate')).toMatchObject({ token: 1 })
    second.wait(leaseMs)
    expect(await second.leases.acquire('evaluate')).toBeUndefined()
    await close()
  })

  it('a released lease is available immediately, and releasing a lost lease changes nothing', async () => {
    const { first, second, close } = await open()
    const lease = await first.leases.acquire('evaluate')
    if (!lease) throw new Error('The lease is free.')
    await first.leases.release(lease)
    expect(await second.leases.acquire('evaluate')).toMatchObject({ token: 2 })
    await first.leases.release(lease)
    expect(await first.leases.acquire('evaluate')).toBeUndefined()
    await close()
  })

  it('the lease of a server whose clock was years ahead is available to the others', async () => {
    const { first, second, close } = await open()
    first.wait(3 * yearMs)
    expect(await first.leases.acquire('evaluate')).toMatchObject({ token: 1 })
    expect(await second.leases.acquire('evaluate')).toMatchObject({ token: 2 })
    await close()
  })

  it('a server whose clock is ahead of another by seconds releases its lease at once', async () => {
    const { first, second, close } = await open()
    first.wait(10_000)
    const lease = await first.leases.acquire('evaluate')
    if (!lease) throw new Error('The lease is free.')
    await first.leases.release(lease)
    expect(await second.leases.acquire('evaluate')).toMatchObject({ token: 2 })
    await close()
  })

  it('a server whose lease was taken cannot confirm it, even with a late clock or another lease', async () => {
    const { first, second, close } = await open()
    const lease = await first.leases.acquire('evaluate')
    if (!lease) throw new Error('The lease is free.')
    const confirm = () => first.metadata.transaction((transaction) => first.leases.confirm(transaction, lease))
    expect(await confirm()).toBe(true)
    second.wait(leaseMs)
    await second.leases.acquire('evaluate')
    expect(await confirm()).toBe(false)
    first.wait(3 * leaseMs)
    expect(await first.leases.acquire('evaluate')).toMatchObject({ token: 3 })
    expect(await confirm()).toBe(false)
    await close()
  })

  it('no server takes a lease between its confirmation and the end of that transaction', async () => {
    const { first, second, close } = await open()
    const lease = await first.leases.acquire('evaluate')
    if (!lease) throw new Error('The lease is free.')
    second.wait(leaseMs)
    const order: string[] = []
    let taking: Promise<unknown> = Promise.resolve()
    await first.metadata.transaction(async (transaction) => {
      expect(await first.leases.confirm(transaction, lease)).toBe(true)
      taking = second.leases.acquire('evaluate').then(() => order.push('taken'))
      await transaction.selectFrom('leases').selectAll().execute()
      order.push('written')
    })
    await taking
    expect(order).toEqual(['written', 'taken'])
    await close()
  })

  it('one of many concurrent servers takes an expired lease', async () => {
    const { first, second, close } = await open()
    await first.leases.acquire('evaluate')
    first.wait(leaseMs)
    second.wait(leaseMs)
    const third = createLeases({
      metadata: second.metadata,
      holder: 'third',
      now: () => new Date('2026-03-01T09:00:30.000Z'),
    })
    const taken = await Promise.all(
      [second.leases, third, second.leases, third].map((leases) => leases.acquire('evaluate')),
    )
    const tokens = new Set(taken.map((lease) => lease?.token))
    expect([...tokens].filter((token) => token !== undefined)).toHaveLength(1)
    await close()
  })
})
