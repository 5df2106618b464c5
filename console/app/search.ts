import type { components } from '../../openapi/types.ts'
import { relationKinds } from '../../sql/ir/relation.ts'
import { isCondition, type MessageRow } from '../parts/conditions/operators.ts'
import { isTimestamp, secondsOf, type WindowSearch } from '../parts/time/time.ts'
import { without } from '../parts/without.ts'

type MessageStatus = components['schemas']['MessageStatus']
export type Relation = components['schemas']['Relation']
/** An attribute that is shown as a column. */
export type Column = components['schemas']['StepAttribute']
/** An attribute of steps, or a field of messages, that messages are grouped by. */
export type GroupAttribute = components['schemas']['MessageAttribute']
export type MessageOrder = NonNullable<components['schemas']['MessageSearch']['order']>

export const orderWords: Readonly<Record<MessageOrder, string>> = {
  newest: 'newest first',
  oldest: 'oldest first',
  longest: 'longest first',
  shortest: 'shortest first',
  most_steps: 'most matched steps first',
  most_errors: 'most failed steps first',
}

/** The kinds of comparisons, with their labels. */
export const comparisonWords = {
  others: 'These with all others',
  failures: 'Failed with not failed',
  slowest: 'Slowest 5% with faster ones',
  before: 'These with the time before',
} as const
export type ComparisonKind = keyof typeof comparisonWords

/** What the chart above the list shows instead of counts over time. */
export type ChartKind = 'durations' | 'table'

/** The search parameters of the list of messages. They contain everything that changes its results. */
export interface MessagesSearch extends WindowSearch {
  readonly rows?: readonly MessageRow[]
  readonly relations?: readonly Relation[]
  readonly status?: MessageStatus
  readonly integration?: string
  /** Newest first unless another order is named. */
  readonly order?: MessageOrder
  readonly columns?: readonly Column[]
  readonly chart?: ChartKind
  /** The attributes of the breakdown. Without any, the messages are listed. */
  readonly by?: readonly GroupAttribute[]
  /** The kind of comparison. Without one, the messages are listed or broken down. */
  readonly compare?: ComparisonKind
  /**
   * The id of the saved view that was opened. The other members are the search itself, and may differ from the view.
   */
  readonly view?: string
  /** The id of the message that is explained beside the list. */
  readonly why?: string
}

/**
 * The search parameters of one message: those of the search that found it, whose rows decide which steps are marked.
 */
export interface MessageSearch extends MessagesSearch {
  /** The selected span. */
  readonly span?: string
  /** The content of the panel beside the waterfall, if it is not the selected step. */
  readonly side?: 'logs' | 'why'
}

/** Returns a text of an address, or undefined without one. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Returns the search parameters of the list in which a message was found. A relative window stays relative. */
export function listSearchOf(search: MessageSearch): MessagesSearch {
  const list = without(search, 'span', 'side')
  return search.last === undefined ? list : without(list, 'from', 'to')
}

/** Reads the search of an address. What it cannot read is left out, so an old or mistyped address still opens. */
export function readMessagesSearch(search: Record<string, unknown>): MessagesSearch {
  const status = search.status === 'ok' || search.status === 'error' ? search.status : undefined
  const chart = search.chart === 'durations' || search.chart === 'table' ? search.chart : undefined
  const by = filled(search.by, isAttribute)
  return defined({
    rows: filled(search.rows, isRow),
    relations: filled(search.relations, isRelation),
    status,
    integration: text(search.integration),
    order: isOrder(search.order) ? search.order : undefined,
    columns: filled(search.columns, isAttribute),
    chart,
    by: by?.slice(0, 2),
    compare: isComparison(search.compare) ? search.compare : undefined,
    view: text(search.view),
    why: text(search.why),
    ...readWindowSearch(search),
  }) as MessagesSearch
}

/** The parameters that a page cannot read, by their names. They are shown, and not part of any query. */
export interface Unread {
  readonly unread?: Readonly<Record<string, unknown>>
}

/** Returns the parameters of an address that were not read. They stay in the address until they are removed. */
export function unreadOf({ unread, ...search }: Record<string, unknown>, read: object): Unread {
  const kept: Record<string, unknown> = { ...read }
  const left = Object.entries(search).flatMap(([name, said]): [string, unknown][] => {
    const known = kept[name]
    if (said === undefined || said === '') return []
    if (!Array.isArray(said)) return known === undefined ? [[name, said]] : []
    const others = said.filter((element) => !(Array.isArray(known) && known.includes(element)))
    return others.length === 0 ? [] : [[name, others]]
  })
  const all = { ...(isRecord(unread) ? unread : {}), ...Object.fromEntries(left) }
  return Object.keys(all).length === 0 ? {} : { unread: all }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the time range of an address: a relative one with a unit, or one with both ends. */
export function readWindowSearch(search: Record<string, unknown>): WindowSearch {
  const [last, from, to] = [text(search.last), text(search.from), text(search.to)]
  const isWhole = from !== undefined && to !== undefined && isTimestamp(from) && isTimestamp(to)
  const isRelative = last !== undefined && secondsOf(last) !== undefined
  return { ...(isRelative ? { last } : {}), ...(isWhole ? { from, to } : {}) }
}

/** Returns only the time range of an address, to keep it where a link leads. */
export function windowSearchOf({ last, from, to }: WindowSearch): WindowSearch {
  return readWindowSearch({ last, from, to })
}

/**
 * Returns the search parameters of a link to a message from another page: the step, and the time range for the way
 * back.
 */
export function messageSearchAt(spanId: string | null, current: WindowSearch): MessageSearch {
  return { ...windowSearchOf(current), ...(spanId === null ? {} : { span: spanId }) }
}

/** The search parameters of a list: a part of the names, and the time range of the counts. */
export interface ListSearch extends WindowSearch {
  readonly find?: string
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  return defined({ ...readWindowSearch(search), find: text(search.find) }) as ListSearch
}

export function readFindSearch(search: Record<string, unknown>): Pick<ListSearch, 'find'> {
  return defined({ find: text(search.find) }) as Pick<ListSearch, 'find'>
}

/** The search parameters of the flow of an integration, which is a graph by default. */
export interface FlowSearch extends WindowSearch {
  readonly show?: 'table'
}

export function readFlowSearch(search: Record<string, unknown>): FlowSearch {
  return defined({ ...readWindowSearch(search), show: search.show === 'table' ? search.show : undefined }) as FlowSearch
}

export function readMessageSearch(search: Record<string, unknown>): MessageSearch {
  const side = search.side === 'logs' || search.side === 'why' ? search.side : undefined
  return defined({ ...readMessagesSearch(search), span: text(search.span), side })
}

/** Returns the elements of a list that can be read, or undefined without any. */
export function filled<Element>(
  list: unknown,
  isElement: (element: unknown) => element is Element,
): Element[] | undefined {
  const elements = Array.isArray(list) ? list.filter(isElement) : []
  return elements.length > 0 ? elements : undefined
}

function isOrder(order: unknown): order is MessageOrder {
  return typeof order === 'string' && Object.hasOwn(orderWords, order)
}

function isComparison(kind: unknown): kind is ComparisonKind {
  return typeof kind === 'string' && Object.hasOwn(comparisonWords, kind)
}

function isAttribute(attribute: unknown): attribute is Column & GroupAttribute {
  return isRecord(attribute) && typeof attribute.attribute_key === 'string'
}

const isRow = (row: unknown): row is MessageRow => isCondition(row)

export function isRelation(relation: unknown): relation is Relation {
  if (!isRecord(relation)) return false
  const { kind, from, to } = relation
  const isKnown = typeof kind === 'string' && Object.hasOwn(relationKinds, kind)
  return isKnown && [from, to].every((conditions) => Array.isArray(conditions) && conditions.every(isRow))
}

/** Leaves out members without a value. */
export function defined<Shape extends object>(
  shape: {
    [Key in keyof Shape]: Shape[Key] | undefined
  },
): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape
}
