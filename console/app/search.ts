import type { components } from '../../openapi/types.ts'
import { type MessageRow, operators } from '../parts/operators.ts'
import type { WindowSearch } from '../parts/time.ts'

type MessageStatus = components['schemas']['MessageStatus']
export type MessageOrder = NonNullable<components['schemas']['MessageSearch']['order']>

export const orderWords: Readonly<Record<MessageOrder, string>> = {
  newest: 'newest first',
  oldest: 'oldest first',
  longest: 'longest first',
  shortest: 'shortest first',
  most_steps: 'most matched steps first',
  most_errors: 'most failed steps first',
}

/** What the address says about a search. Everything that changes the answer is here. */
export interface MessagesSearch extends WindowSearch {
  readonly rows?: readonly MessageRow[]
  readonly status?: MessageStatus
  readonly integration?: string
  /** Newest first unless another order is named. */
  readonly order?: MessageOrder
}

/** The address of one message: the search that found it, whose rows decide which steps are marked. */
export interface MessageSearch extends MessagesSearch {
  /** The selected span. */
  readonly span?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Reads the search of an address. What it cannot read is left out, so an old or mistyped address still opens. */
export function readMessagesSearch(search: Record<string, unknown>): MessagesSearch {
  const rows = Array.isArray(search.rows) ? search.rows.filter(isRow) : []
  const status = search.status === 'ok' || search.status === 'error' ? search.status : undefined
  const order = isOrder(search.order) ? search.order : undefined
  const [last, from, to, integration] = [search.last, search.from, search.to, search.integration].map(text)
  return defined({ rows: rows.length > 0 ? rows : undefined, status, integration, order, last, from, to })
}

export function readMessageSearch(search: Record<string, unknown>): MessageSearch {
  return defined({ ...readMessagesSearch(search), span: text(search.span) })
}

function isOrder(order: unknown): order is MessageOrder {
  return typeof order === 'string' && order in orderWords
}

function isRow(row: unknown): row is MessageRow {
  if (typeof row !== 'object' || row === null) return false
  const { attribute_key, operator } = row as Record<string, unknown>
  return typeof attribute_key === 'string' && typeof operator === 'string' && operator in operators
}

/** Leaves out members without a value. */
function defined<Shape extends object>(
  shape: {
    [Key in keyof Shape]: Shape[Key] | undefined
  },
): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape
}
