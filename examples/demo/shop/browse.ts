import { carts, tenants } from './checkout.ts'
import type { Draw } from './draw.ts'
import { call, type Database, httpServer, publish, query, type Step } from './step.ts'

const products: Database = { system: 'postgresql', name: 'catalog' }
const cache: Database = { system: 'redis', name: 'recommendations' }

export function viewProduct(draw: Draw): Step {
  const broken = draw.chance(0.02)
  const product = call('frontend', 'catalog', 'GET', '/products/{id}', {
    ownMs: draw.latencyMs(2),
    attributes: { 'http.status_code': broken ? 500 : 200 },
    ...(broken ? { error: 'canceling statement due to statement timeout' } : {}),
    children: [
      query('catalog', products, 'SELECT', 'products', {
        ownMs: draw.latencyMs(broken ? 400 : 3),
        attributes: { 'db.statement': 'SELECT * FROM products WHERE id = $1' },
        ...(broken ? { error: 'canceling statement due to statement timeout' } : {}),
      }),
    ],
  })
  return httpServer('frontend', 'GET', '/product/{id}', {
    ownMs: draw.latencyMs(3),
    attributes: {
      tenant: draw.oneOf(tenants),
      'product.id': draw.integer(1, 900),
      'http.status_code': broken ? 502 : 200,
    },
    ...(broken ? { error: 'catalog answered 500' } : {}),
    children: broken ? [product] : [product, recommend(draw)],
  })
}

/** A cache miss adds two steps. If the model fails, the page is shown without recommendations. */
function recommend(draw: Draw): Step {
  const miss = draw.chance(0.3)
  const failed = miss && draw.chance(0.05)
  const look = query('recommendation', cache, 'GET', 'similar', {
    ownMs: draw.latencyMs(0.5),
    attributes: { 'cache.hit': !miss },
  })
  const load = query('recommendation', products, 'SELECT', 'similar_products', {
    ownMs: draw.latencyMs(12),
    attributes: { 'db.statement': 'SELECT other FROM similar_products WHERE id = $1 ORDER BY score DESC LIMIT 8' },
    ...(failed ? { error: 'connection reset by peer' } : {}),
  })
  return call('frontend', 'recommendation', 'GET', '/similar/{id}', {
    ownMs: draw.latencyMs(4),
    attributes: { 'http.status_code': failed ? 503 : 200 },
    ...(failed ? { error: 'connection reset by peer' } : {}),
    children: miss ? [look, load] : [look],
  })
}

export function addToCart(draw: Draw): Step {
  const tenant = draw.oneOf(tenants)
  return httpServer('frontend', 'POST', '/cart', {
    ownMs: draw.latencyMs(2),
    attributes: { tenant, 'user.session': draw.hex(12) },
    children: [
      call('frontend', 'cart', 'POST', '/cart/{customer}/items', {
        ownMs: draw.latencyMs(1),
        attributes: { 'customer.id': String(draw.integer(1, 400)) },
        children: [
          query('cart', carts, 'HSET', 'cart', { ownMs: draw.latencyMs(0.6) }),
          publish('cart', 'stream', 'cart-events', { ownMs: draw.latencyMs(1) }),
        ],
      }),
    ],
  })
}
