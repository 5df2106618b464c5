import { type Repeated, repeat } from '../../background/background.ts'
import type { Deps } from '../../feature.ts'
import { createOutageLog } from '../../observability/outage-log.ts'
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts'
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
  readonly send: Send
  readonly slots: Slots
}

const pollMs = 500
/**
 * Maximum number of due deliveries read at once. Deliveries of organizations and channels that become full are left out
 * of the next read, so that a backlog of one does not hide the others.
 */
const dueReadMax = 100

export function createDeliveryWorker({ queue, send, slots, logger }: DeliveryWorkerDeps): DeliveryWorker {
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let polling: Repeated | undefined
  let stopped = false

  const begin = ({ claimed, slot }: Taken) => {
    const attempt = send(claimed, slot, cutting.signal)
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
      const taken = await takeDue(queue, slots)
      if (taken.length === 0) return
      taken.forEach(begin)
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

/** Takes slots before it claims deliveries, so that every claimed delivery can be sent at once. */
async function takeDue(queue: DeliveryQueue, slots: Slots): Promise<Taken[]> {
  if (slots.areTaken) return []
  const due = await queue.findDue(dueReadMax, slots.full())
  const slotOf = new Map<string, Slot>()
  for (const delivery of due) if (slots.hasRoomFor(delivery)) slotOf.set(delivery.id, slots.take(delivery))
  try {
    const taken = (await queue.claim([...slotOf.keys()])).map((claimed) => ({ claimed, slot: slotOf.get(claimed.id) }))
    for (const { claimed } of taken) slotOf.delete(claimed.id)
    return taken.filter((each): each is Taken => each.slot !== undefined)
  } finally {
    for (const slot of slotOf.values()) slot.free()
  }
}
