import type { components } from '../../clients/typescript/client.ts'

/** One row of a message filter in the form of the API. */
type Row = components['schemas']['MessageRow']

type Condition = Omit<Row, 'includeDescendants'>

export interface Relation {
  readonly kind: 'followed_by' | 'not_followed_by' | 'contains' | 'not_contains' | 'called_by' | 'not_called_by'
  readonly from: readonly Condition[]
  readonly to: readonly Condition[]
  readonly within_ms?: number
}

export interface Search {
  readonly rows: readonly Row[]
  readonly relations?: readonly Relation[]
  readonly status?: 'ok' | 'error'
}

export interface Question {
  readonly title: string
  readonly search: Search
}

/** Six searches of increasing difficulty over the shop's messages. */
export const questions: readonly Question[] = [
  {
    title: 'Which messages belong to the tenant fabrikam?',
    search: { rows: [{ attribute_key: 'tenant', operator: 'eq', value: 'fabrikam' }] },
  },
  {
    title: 'Which purchases were paid, and never by card?',
    search: {
      rows: [
        { attribute_key: 'payment.method', operator: 'exists' },
        { attribute_key: 'payment.method', operator: 'neq', value: 'card' },
      ],
    },
  },
  {
    title: 'Which orders never reached the orders table, in any step?',
    search: {
      rows: [
        { attribute_key: 'order.id', operator: 'exists' },
        { attribute_key: 'db.statement', operator: 'not_contains', value: 'INSERT INTO orders' },
      ],
    },
  },
  {
    title: 'Which orders of contoso failed, in the step that carries the tenant or anywhere below it?',
    search: {
      rows: [{ attribute_key: 'tenant', operator: 'eq', value: 'contoso', includeDescendants: true }],
      status: 'error',
    },
  },
  {
    title: 'Which large orders of checkout, not from tailspin and never declined (402), contain a failed step?',
    search: {
      rows: [
        { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'checkout' },
        { attribute_key: 'order.total', operator: 'gt', value: 300, includeDescendants: true },
        { attribute_key: 'tenant', operator: 'neq', value: 'tailspin' },
        { attribute_key: 'http.status_code', operator: 'neq', value: 402 },
      ],
      status: 'error',
    },
  },
  {
    title: 'Which orders were announced, and not shipped within ten minutes?',
    search: {
      rows: [],
      relations: [
        {
          kind: 'not_followed_by',
          from: [
            { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'publish orders.placed' },
          ],
          to: [
            { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'shipping' },
            { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'process orders.placed' },
          ],
          within_ms: 600_000,
        },
      ],
    },
  },
]
