import type { Draw } from './draw.ts'
import { consume, file, internal, publish, query, type Step } from './step.ts'

/**
 * A file import: a supplier's stock list arrives by SFTP, is parsed and streamed, and inventory applies it in blocks.
 */
export function importStock(draw: Draw): Step {
  const supplier = draw.oneOf(['acme-parts', 'globex', 'initech'])
  const blocks = draw.integer(3, 12)
  const malformed = draw.chance(0.2)
  const receive = file('stock-import', 'input', `${supplier}-stock.csv`, {
    ownMs: draw.latencyMs(900),
    attributes: {
      'transfer.protocol': 'sftp',
      'transfer.source.host': `sftp.${supplier}.example`,
      'transfer.source.path': '/outgoing/stock',
      'file.size': draw.integer(20_000, 4_000_000),
    },
  })
  const parse = internal('stock-import', 'parse rows', {
    ownMs: draw.latencyMs(200),
    attributes: { 'rows.total': blocks * 500, 'rows.rejected': malformed ? draw.integer(1, 40) : 0 },
    ...(malformed ? { error: 'some rows have no SKU' } : {}),
  })
  const stream = Array.from({ length: blocks }, (_, block) => applyBlock(draw, block))
  const archive = file('stock-import', 'output', `${supplier}-stock.csv.done`, {
    ownMs: draw.latencyMs(120),
    attributes: { 'transfer.protocol': 'smb', 'transfer.source.path': '/archive' },
  })
  return internal('stock-import', 'import stock list', {
    attributes: { 'supplier.name': supplier },
    children: [receive, parse, ...stream, archive],
  })
}

function applyBlock(draw: Draw, block: number): Step {
  const deadlock = draw.chance(0.05)
  const update = (error?: string) =>
    query('inventory', { system: 'postgresql', name: 'inventory' }, 'UPDATE', 'stock', {
      ownMs: draw.latencyMs(30),
      attributes: { 'db.statement': 'UPDATE stock SET available = $2 WHERE sku = $1' },
      ...(error === undefined ? {} : { error }),
    })
  return publish('stock-import', 'stream', 'stock-levels', {
    ownMs: draw.latencyMs(2),
    attributes: { 'messaging.batch.message_count': 500, 'import.block': block },
    children: [
      consume('inventory', 'stream', 'stock-levels', {
        laterMs: draw.latencyMs(50),
        ownMs: draw.latencyMs(4),
        children: deadlock ? [update('deadlock detected'), update()] : [update()],
      }),
    ],
  })
}
