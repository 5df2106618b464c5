import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Repeated, repeat } from '../../background/background.ts'
import type { Deps } from '../../feature.ts'
import { createOutageLog } from '../../observability/outage-log.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { ClaimedDelivery, DeliveryQueue, DueDelivery } from './delivery-queue.ts'
import type { DeliveryResults } from './delivery-result.ts'
import type { Send } from './send.ts'
import type { Slot, Slots } from './slots.ts'

/** Sends due deliveries. Any number of servers may run a worker on one metadata store. */
export interface DeliveryWorker {
  start(): void
  /** Looks for due deliveries immediately. */
  wake(): void
  /** Claims and sends all deliveries that are due. Resolves when their attempts have ended. */
  sendDue(): Promise<void>
  /** Starts no further attempts. After `runningMsMax`, aborts running ones and releases their claims. */
  stop(runningMsMax: number): Promise<void>
}

export interface DeliveryWorkerDeps extends Pick<Deps, 'logger'> {
  readonly queue: DeliveryQueue
  readonly results: Pick<DeliveryResults, 'skip'>
  readonly send: Send
  readonly slots: Slots
}

const pollMs = 500
/**
 * Maximum number of due deliveries read at once. Deliveries of organizations and channels that become full are left out
 * of the next read, so that a backlog of one does not hide the others.
 */
const dueReadMax = 100

export function createDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { send, logger } = deps
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let polling: Repeated | undefined
  let stopped = false

  const begin = ({ claimed, slot }: Taken) => {
    const attempt = send(claimed, cutting.signal)
      // The delivery is attempted again when its claim expires.
      .catch((err) => logger.error({ err, delivery: claimed.id }, 'Could not record the delivery result'))
      .finally(() => {
        slot.free()
        running.delete(attempt)
        polling?.wake()
      })
    running.add(attempt)
  }
  const outages = createOutageLog(logger, {
    failure: 'Could not look up due deliveries',
    recovery: 'Due deliveries are looked up again',
  })
  const sendWhileDue = async () => {
    while (!stopped) {
      const taken = await takeDue(deps)
      if (taken === undefined) return
      taken.forEach(begin)
      // libsql runs on this thread, and requests are to be answered between its statements.
      await nextTurn()
    }
  }
  return {
    start() {
      const work = () => sendWhileDue().then(outages.succeeded)
      polling ??= repeat({ pauseMs: pollMs, work, onError: outages.failed })
    },
    wake: () => polling?.wake(),
    async sendDue() {
      do {
        await Promise.all(running)
        await sendWhileDue()
      } while (running.size > 0)
    },
    async stop(runningMsMax) {
      stopped = true
      await polling?.stop()
      const timer = setTimeout(() => cutting.abort(), runningMsMax)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

interface Taken {
  readonly claimed: ClaimedDelivery
  readonly slot: Slot
}

/**
 * Takes slots before it claims deliveries, so that every claimed delivery can be sent at once. Returns undefined if no
 * delivery is due that may take a slot.
 */
async function takeDue({ queue, results, slots }: DeliveryWorkerDeps): Promise<Taken[] | undefined> {
  if (slots.areTaken) return undefined
  const due = await queue.findDue(dueReadMax, slots.full())
  if (due.length === 0) return undefined
  for (const [channelId, [{ org }]] of groupedBy(due.filter(isSkipped), (delivery) => delivery.channelId))
    await results.skip({ org, channelId })
  const slotOf = new Map<string, Slot>()
  for (const delivery of due) {
    const slot = delivery.isSkipped ? undefined : slots.take(delivery)
    if (slot !== undefined) slotOf.set(delivery.id, slot)
  }
  try {
    const taken = (await queue.claim([...slotOf.keys()])).map((claimed) => ({ claimed, slot: slotOf.get(claimed.id) }))
    for (const { claimed } of taken) slotOf.delete(claimed.id)
    return taken.filter((each): each is Taken => each.slot !== undefined)
  } finally {
    for (const slot of slotOf.values()) slot.free()
  }
}

function isSkipped(delivery: DueDelivery): boolean {
  return delivery.isSkipped
}
