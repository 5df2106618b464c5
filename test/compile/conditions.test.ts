import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileSpanCondition } from '../../sql/compile/condition.ts'
import { fromScoped, sql } from '../../sql/fragment.ts'
import { parseConditions, renderInScope, type Scope } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Condition, holds } from '../support/reference-condition.ts'
import { operators } from '../support/reference-operators.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawTraces } from '../support/trace-text.ts'
import { expectGolden } from './golden.ts'

const scope: Scope = { org: 'acme', window: { fromNs: drawnStartNs, toNs: drawnStartNs + 60_000_000_000n } }

const SHOP = drawTraces(
  `
  web:GET_/cart          http.route=/cart  tenant=acme  ~250ms  @region=eu-west
    db:load_cart         db.system=mysql   tenant=  @region=eu-west
    bank:charge_card     http.route=/pay   !declined  amount=double:12.5  order.number=int:9007199254740993  ~90ms
    bank:charge_again    amount="12.50"    order.number="9007199254740992"  region=us  @region=eu-north
  `,
  { org: scope.org },
)

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  await app.sendSpans(toOtlpJson(SHOP), { org: scope.org, role: 'ingest' })
})
afterAll(() => app.close())

const condition = (
  attribute_source: NonNullable<Condition['attribute_source']>,
  attribute_key: string,
  operator: Condition['operator'],
  value?: string,
): Condition => ({ attribute_source, attribute_key, operator, ...(value === undefined ? {} : { value }) })

const cases: [title: string, Condition, finds: string[]][] = [
  ['any equals text', condition('any', 'region', 'eq', 'eu-north'), []],
  ['any equals number', condition('any', 'amount', 'eq', '12.5'), ['charge_card']],
  ['any never equals', condition('any', 'http.route', 'neq', '/cart'), ['load_cart', 'charge_card', 'charge_again']],
  ['any never contains', condition('any', 'http.route', 'not_contains', 'a'), ['load_cart', 'charge_again']],
  ['any is less than', condition('any', 'amount', 'lt', '12.51'), ['charge_card', 'charge_again']],
  ['any is greater than', condition('any', 'order.number', 'gt', '9007199254740992'), ['charge_card']],
  ['span is at most', condition('span', 'amount', 'lte', '12.5'), ['charge_card', 'charge_again']],
  ['span contains, a hot key', condition('span', 'http.route', 'contains', 'a'), ['GET_/cart', 'charge_card']],
  ['span is present', condition('span', 'tenant', 'exists'), ['GET_/cart', 'load_cart']],
  ['span is never present', condition('span', 'tenant', 'not_exists'), ['charge_card', 'charge_again']],
  ['resource starts with', condition('resource', 'region', 'starts_with', 'eu-w'), ['GET_/cart', 'load_cart']],
  ['resource equals', condition('resource', 'region', 'eq', 'eu-north'), ['charge_again']],
  ['resource matches', condition('resource', 'region', 'matches', '^eu-(n|s)'), ['charge_again']],
  ['intrinsic ends with', condition('intrinsic', 'name', 'ends_with', 'cart'), ['GET_/cart', 'load_cart']],
  ['intrinsic status', condition('intrinsic', 'status', 'eq', 'error'), ['charge_card']],
  ['intrinsic duration equals', condition('intrinsic', 'duration_ms', 'eq', '90.0'), ['charge_card']],
  ['intrinsic duration is at least', condition('intrinsic', 'duration_ms', 'gte', '90'), ['GET_/cart', 'charge_card']],
]

it('every operator is among the cases', () => {
  expect(new Set(cases.map(([, { operator }]) => operator))).toEqual(new Set(operators))
})

it.each(cases)('%s', async (title, question, finds) => {
  const [condition] = parseConditions([question])
  if (condition === undefined) throw new Error('One condition is one row.')
  const query = renderInScope(
    sql`SELECT name FROM ${fromScoped('spans', compileSpanCondition(condition))} ORDER BY start`,
    scope,
  )
  await expectGolden(`condition ${title}`, query)
  const { rows } = await app.app.clickhouse.read<{ name: string }>(query, { for: 'system', label: 'test' })
  expect(rows.map(({ name }) => name)).toEqual(finds)
  expect(SHOP.filter((span) => holds(question, span)).map(({ name }) => name)).toEqual(finds)
})
