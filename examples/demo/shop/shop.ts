import { addToCart, viewProduct } from './browse.ts'
import { checkout } from './checkout.ts'
import { createDraw, type Draw } from './draw.ts'
import { type ShopSpan, spansOf } from './message.ts'
import type { Step } from './step.ts'
import { importStock } from './stock-import.ts'

export interface Shop {
  /** The spans of each message, oldest message first, without the late span and the parent of the orphaned span. */
  readonly messages: readonly (readonly ShopSpan[])[]
  /** A span that reaches the server after all others. */
  readonly late: ShopSpan
  /** A span whose parent was lost and is never sent. */
  readonly orphaned: ShopSpan
}

export interface ShopOptions {
  readonly seed: number
  readonly messageCount: number
  /** The start of the last message. The others are spread over the time before it. */
  readonly until: Date
  /** The time over which messages are spread, by default most of an hour. */
  readonly spreadMs?: number
}

/**
 * Draws one hour of a web shop with twelve services: browsing, carts, purchases with their queues, and file imports.
 */
export function drawShop({ seed, messageCount, until, spreadMs = 55 * 60_000 }: ShopOptions): Shop {
  const draw = createDraw(seed)
  const firstMs = until.getTime() - spreadMs
  const messages = Array.from({ length: messageCount }, (_, index) => {
    const startMs = firstMs + (spreadMs * (index + draw.fraction())) / messageCount
    return spansOf(drawMessage(draw), BigInt(Math.round(startMs * 1e3)) * 1_000n, draw)
  })
  const late = takeOut(messages, 'INSERT parcels')
  const others = messages.filter(([first]) => first?.traceId !== late.traceId)
  const lost = takeOut(others, 'publish orders.placed')
  const orphaned = messages.flat().find((span) => span.parentSpanId === lost.spanId)
  if (orphaned === undefined) throw new Error('a publishing step always has consumers below it')
  return { messages, late, orphaned }
}

function drawMessage(draw: Draw): Step {
  const choice = draw.fraction()
  if (choice < 0.5) return viewProduct(draw)
  if (choice < 0.7) return addToCart(draw)
  if (choice < 0.99) return checkout(draw)
  return importStock(draw)
}

/** Removes the newest span of a name from its message. */
function takeOut(messages: ShopSpan[][], name: string): ShopSpan {
  for (const message of messages.toReversed()) {
    const at = message.findIndex((span) => span.step.name === name)
    const [taken] = at < 0 ? [] : message.splice(at, 1)
    if (taken !== undefined) return taken
  }
  throw new Error(`no message of the shop has a step ${JSON.stringify(name)}: draw more messages`)
}
