import type { Draw } from './draw.ts'
import {
  call,
  consume,
  consumeUnclassified,
  type Database,
  httpClient,
  httpServer,
  internal,
  publish,
  query,
  type Step,
  sendEmail,
} from './step.ts'

const orders: Database = { system: 'postgresql', name: 'orders' }
const stock: Database = { system: 'postgresql', name: 'inventory' }
export const carts: Database = { system: 'redis', name: 'carts' }

export const tenants = ['northwind', 'contoso', 'fabrikam', 'tailspin'] as const

interface Order {
  readonly id: string
  readonly tenant: string
  readonly customer: string
  readonly total: number
  readonly method: 'card' | 'invoice' | 'wallet'
  readonly outOfStock: boolean
  readonly declined: boolean
}

function drawOrder(draw: Draw): Order {
  const tenant = draw.oneOf(tenants)
  return {
    id: `o-${draw.hex(8)}`,
    tenant,
    customer: String(draw.integer(1, 400)),
    total: draw.integer(500, tenant === 'contoso' ? 250_000 : 60_000) / 100,
    method: draw.oneOf(['card', 'invoice', 'wallet']),
    outOfStock: draw.chance(0.04),
    declined: draw.chance(0.06),
  }
}

/** A purchase, the longest message of the shop, including the steps that follow later on the queue. */
export function checkout(draw: Draw): Step {
  const order = drawOrder(draw)
  const failure = order.outOfStock ? 'out of stock' : order.declined ? 'payment declined' : undefined
  const status = order.outOfStock ? 409 : order.declined ? 402 : 200
  const failed = failure === undefined ? {} : { error: failure }
  const place = call('frontend', 'checkout', 'POST', '/orders', {
    ownMs: draw.latencyMs(6),
    attributes: {
      'http.status_code': status,
      tenant: order.tenant,
      'customer.id': order.customer,
      'order.id': order.id,
      'order.total': order.total,
    },
    ...failed,
    children: orderSteps(draw, order),
  })
  return httpServer('frontend', 'POST', '/checkout', {
    ownMs: draw.latencyMs(4),
    attributes: { 'http.status_code': status, 'user.session': draw.hex(12) },
    ...failed,
    children: [place],
  })
}

function orderSteps(draw: Draw, order: Order): Step[] {
  const cart = call('checkout', 'cart', 'GET', '/cart/{customer}', {
    ownMs: draw.latencyMs(1),
    children: [query('cart', carts, 'HGETALL', 'cart', { ownMs: draw.latencyMs(0.6) })],
  })
  const reserved = [cart, reserve(draw, order)]
  if (order.outOfStock) return reserved
  const paid = [...reserved, ...pay(draw, order)]
  if (order.declined) return paid
  const store = query('checkout', orders, 'INSERT', 'orders', {
    ownMs: draw.latencyMs(4),
    attributes: { 'db.statement': 'INSERT INTO orders (id, tenant, total) VALUES ($1, $2, $3)' },
  })
  return [...paid, store, announce(draw, order)]
}

function reserve(draw: Draw, order: Order): Step {
  const refused = order.outOfStock ? { error: 'out of stock' } : {}
  const update = query('inventory', stock, 'UPDATE', 'stock', {
    ownMs: draw.latencyMs(3),
    attributes: { 'db.statement': 'UPDATE stock SET reserved = reserved + $2 WHERE sku = $1' },
  })
  const look = query('inventory', stock, 'SELECT', 'stock', {
    ownMs: draw.latencyMs(2),
    attributes: { 'db.statement': 'SELECT available FROM stock WHERE sku = $1' },
  })
  return call('checkout', 'inventory', 'POST', '/reservations', {
    ownMs: draw.latencyMs(2),
    attributes: { 'http.status_code': order.outOfStock ? 409 : 201 },
    ...refused,
    children: order.outOfStock ? [look] : [look, update],
  })
}

/**
 * The gateway is unreliable: a first attempt that times out is retried, so a message can contain an error and succeed.
 */
function pay(draw: Draw, order: Order): Step[] {
  const gateway = (attempt: number, error?: string) =>
    httpClient('payment', 'POST', 'api.gateway.example', {
      ownMs: draw.latencyMs(error === 'gateway timeout' ? 900 : 80),
      attributes: { 'retry.attempt': attempt, 'http.status_code': error ? (order.declined ? 402 : 504) : 200 },
      ...(error === undefined ? {} : { error }),
    })
  const last = order.declined ? 'card_declined' : undefined
  const attempts =
    order.method === 'invoice'
      ? []
      : draw.chance(0.08)
        ? [gateway(1, 'gateway timeout'), gateway(2, last)]
        : [gateway(1, last)]
  const charge = call('checkout', 'payment', 'POST', '/charges', {
    ownMs: draw.latencyMs(3),
    attributes: { 'payment.method': order.method, 'http.status_code': order.declined ? 402 : 201 },
    ...(order.declined ? { error: 'payment declined' } : {}),
    children: attempts,
  })
  return [charge]
}

function announce(draw: Draw, order: Order): Step {
  // Shipping misses the announcement of some orders.
  const isShipped = !draw.chance(0.06)
  return publish('checkout', 'queue', 'orders.placed', {
    ownMs: draw.latencyMs(1),
    attributes: { 'messaging.message.id': draw.hex(16) },
    children: [confirm(draw, order), ...(isShipped ? [ship(draw)] : []), score(draw, order), reward(draw)],
  })
}

function confirm(draw: Draw, order: Order): Step {
  const bounced = draw.chance(0.03) ? { error: '550 mailbox unavailable' } : {}
  return consume('email', 'queue', 'orders.placed', {
    laterMs: draw.latencyMs(40),
    ownMs: draw.latencyMs(2),
    ...bounced,
    children: [
      sendEmail('email', 'order-confirmation', {
        ownMs: draw.latencyMs(60),
        attributes: {
          'email.recipients': 1,
          'customer.locale': draw.oneOf(['en-GB', 'de-DE', 'ja-JP']),
          ...(order.tenant === 'tailspin' ? { 'email.sandbox': true } : {}),
        },
        ...bounced,
      }),
    ],
  })
}

function ship(draw: Draw): Step {
  return consume('shipping', 'queue', 'orders.placed', {
    laterMs: draw.latencyMs(120),
    ownMs: draw.latencyMs(5),
    children: [
      httpClient('shipping', 'POST', 'labels.carrier.example', { ownMs: draw.latencyMs(140) }),
      query('shipping', { system: 'postgresql', name: 'shipping' }, 'INSERT', 'parcels', {
        ownMs: draw.latencyMs(3),
        attributes: { 'db.statement': 'INSERT INTO parcels (order_id, label) VALUES ($1, $2)' },
      }),
    ],
  })
}

function score(draw: Draw, order: Order): Step {
  const risk = Math.round(draw.fraction() * 100) / 100
  return internal('fraud-worker', 'score order', {
    laterMs: draw.latencyMs(300),
    ownMs: draw.latencyMs(25),
    attributes: { 'fraud.score': risk, 'fraud.rules': ['velocity', 'geo', ...(order.total > 400 ? ['amount'] : [])] },
    children: [internal('fraud-worker', 'load features', { ownMs: draw.latencyMs(8) })],
  })
}

function reward(draw: Draw): Step {
  return consumeUnclassified('loyalty', 'orders.placed', {
    laterMs: draw.latencyMs(60),
    ownMs: draw.latencyMs(2),
    children: [internal('loyalty', 'add points', { ownMs: draw.latencyMs(1) })],
  })
}
