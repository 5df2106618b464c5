import { type Repeated, repeat } from '../../background/background.ts'
import type { Logger } from '../../observability/logging.ts'
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts'
import type { Send } from './send.ts'
import type { Slot, Slots } from './slots.ts'

/** Sends what is due, as long as it runs. Any number of servers may do so on one store. */
export interface DeliveryWorker {
  start(): void
  /** Something may be due: looks at once. */
  wake(): void
  /** Claims and sends everything that is due now; resolves when those attempts have ended. */
  sendDue(): Promise<void>
  /** Begins nothing more; running attempts have so much time to end, and are given back then. */
  stop(runningMsMax: number): Promise<void>
}

export interface DeliveryWorkerParts {
  readonly queue: DeliveryQueue
  readonly send: Send
  readonly slots: Slots
  readonly logger: Logger
  readonly pollMs?: number
}

const pollMsDefault = 500
/** More than there are slots, so that a channel with many that are due does not hide the others. */
const dueReadMax = 100

export function createDeliveryWorker({
  queue,
  send,
  slots,
  logger,
  pollMs = pollMsDefault,
}: DeliveryWorkerParts): DeliveryWorker {
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let polling: Repeated | undefined
  let stopped = false

  const begin = ({ claimed, slot }: Taken) => {
    const attempt = send(claimed, slot, cutting.signal)
      // The claim ends by itself, and the delivery is tried again.
      .catch((err) => logger.error({ err, delivery: claimed.id }, 'What came of a delivery could not be recorded'))
      .finally(() => {
        slot.free()
        running.delete(attempt)
        polling?.wake()
      })
    running.add(attempt)
  }
  const sendWhatIsDue = async () => {
    while (!stopped) {
      const taken = await takeDue(queue, slots)
      if (taken.length === 0) return
      taken.forEach(begin)
    }
  }
  return {
    start() {
      const onError = (err: unknown) => logger.warn({ err }, 'Deliveries that are due could not be looked up')
      polling ??= repeat({ pauseMs: pollMs, work: sendWhatIsDue, onError })
    },
    wake: () => polling?.wake(),
    async sendDue() {
      do {
        await Promise.all(running)
        await sendWhatIsDue()
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

/** Slots are taken before the deliveries are claimed: a claim is made only for what is sent at once. */
async function takeDue(queue: DeliveryQueue, slots: Slots): Promise<Taken[]> {
  if (slots.free === 0) return []
  const due = await queue.findDue(dueReadMax, slots.fullChannels())
  const slotOf = new Map<string, Slot>()
  for (const { id, channelId } of due) if (slots.hasRoomFor(channelId)) slotOf.set(id, slots.take(channelId))
  try {
    const taken = (await queue.claim([...slotOf.keys()])).map((claimed) => ({ claimed, slot: slotOf.get(claimed.id) }))
    for (const { claimed } of taken) slotOf.delete(claimed.id)
    return taken.filter((each): each is Taken => each.slot !== undefined)
  } finally {
    for (const slot of slotOf.values()) slot.free()
  }
}
