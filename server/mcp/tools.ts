/** The tools that agents call. Each calls operations of the API and describes the query in a sentence. */
import type { HandledOperationId } from '../http/contract/handlers.ts'
import type { ToolAnswer } from './answer.ts'
import { outlineOf, readSkip } from './outline.ts'
import { type ListedPage, listAnswer, phrase, windowPhrase } from './sentences.ts'

/** The arguments of a call by name. None is null: agents write absent ones so, and they are left out. */
export type Arguments = Readonly<Record<string, unknown>>

/**
 * Calls an operation with arguments by name, which go to its path, its query or its body as the document says.
 * Resolves to the JSON of the response.
 * @throws Problem whose pointers name the arguments
 */
export type Ask = (id: HandledOperationId, args: Arguments) => Promise<unknown>

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** All operations that it may call. A caller needs the role of each. Their inputs are its arguments. */
  readonly operations: readonly HandledOperationId[]
  /** Arguments of the operations that the tool does not offer. */
  readonly without?: readonly string[]
  /** Schemas of arguments that no operation has. */
  readonly own?: Readonly<Record<string, unknown>>
  answer(ask: Ask, args: Arguments): Promise<ToolAnswer>
}

const conditions =
  'A row names an attribute of a step, an operator and a value; a message matches if one step satisfies all positive ' +
  'rows and no step violates a negative one (neq, not_contains, not_exists). With attribute_source "intrinsic", and ' +
  'no other, the key is service, name, duration_ms, kind (server, client, internal, producer, consumer, unspecified) ' +
  'or status (error, ok, unset) of a step.'

const relations = 'Relations compare two steps, such as one that is not followed by another.'

const whatExplains =
  'Says whether and why one message satisfies conditions: for each row and relation the steps that satisfy or refute ' +
  'it, or the nearest steps, or that none carries the key.'

const whatBreaksDown =
  'Groups the messages that satisfy conditions by the values of one or two attributes, with counts, errors and ' +
  'durations per group.'

const whatCompares =
  'Finds the attribute values that differ most between the messages of two queries, such as failed and successful ' +
  'ones. Without b, the messages of a are compared with all others of the window.'

const search: Tool = {
  name: 'search',
  title: 'Search messages',
  description: `Finds messages (whole traces) by conditions on their steps (spans). ${conditions} ${relations}`,
  operations: ['searchMessages'],
  async answer(ask, args) {
    const { summary, ...page } = (await ask('searchMessages', args)) as ListedPage & { readonly summary: string }
    return listAnswer({ sentence: summary, body: page, name: 'messages', noun: 'messages' })
  },
}

const count: Tool = {
  name: 'count',
  title: 'Count messages',
  description: `Counts the messages that a search would find, and their matched steps, exactly. ${conditions}`,
  operations: ['countMessages'],
  async answer(ask, args) {
    const [counts, sentence] = await Promise.all([ask('countMessages', args), summaryOf(ask, args)])
    return { sentence, body: counts as ToolAnswer['body'], rest: () => '' }
  },
}

const explain: Tool = {
  name: 'explain',
  title: 'Explain why a message matches',
  description: `${whatExplains} ${conditions} Pass from and to for a message older than an hour.`,
  operations: ['explainMessage'],
  async answer(ask, args) {
    const { trace_id, ...filter } = args
    const [body, summary] = await Promise.all([ask('explainMessage', args), summaryOf(ask, filter)])
    const { verdict, ...explanation } = body as { readonly verdict: string } & ToolAnswer['body']
    return {
      sentence: `Is ${phrase(trace_id)} one of these? ${summary} ${verdict}`,
      body: explanation,
      list: { name: 'rows', noun: 'rows' },
      rest: () => 'Ask with fewer rows, or read a step with the tool message and its span_id.',
    }
  },
}

const message: Tool = {
  name: 'message',
  title: 'Read a message or one of its steps',
  description:
    'Without span_id: lists the steps of a message in tree order, each with its depth, service, name and times in ' +
    'milliseconds from its start. With span_id: returns that step whole, with attributes, events and links. Without ' +
    'from and to, all retained spans are searched.',
  operations: ['getMessageSkeleton', 'getMessageSpan'],
  without: ['filter'],
  own: {
    skip: { type: 'integer', minimum: 0, description: 'Steps to leave out from the beginning of the list of steps.' },
  },
  async answer(ask, { skip: sentSkip = 0, ...args }) {
    const skip = readSkip(sentSkip)
    const window = windowPhrase(args, 'in all retained spans')
    if (args.span_id !== undefined) {
      const body = (await ask('getMessageSpan', args)) as ToolAnswer['body']
      const sentence = `The step ${phrase(args.span_id)} of message ${phrase(args.trace_id)}, ${window}.`
      const rest = () => 'GET /api/v1/messages/{trace_id}/spans/{span_id} of the API returns the step whole.'
      return { sentence, body, list: { name: 'attributes', noun: 'attributes' }, rest }
    }
    const body = outlineOf(await ask('getMessageSkeleton', args), skip)
    return {
      sentence: `The steps of message ${phrase(args.trace_id)}, ${window}.`,
      body: body as unknown as ToolAnswer['body'],
      list: { name: 'steps', noun: 'steps', total: Math.max(0, body.step_count - skip) },
      rest: (shown) => `Ask again with skip ${skip + shown} for the next ones.`,
    }
  },
}

const breakdown: Tool = {
  name: 'breakdown',
  title: 'Break messages down by attribute',
  description: `${whatBreaksDown} ${conditions}`,
  operations: ['countMessagesByAttribute'],
  async answer(ask, args) {
    const { summary, ...body } = (await ask('countMessagesByAttribute', args)) as { readonly summary: string }
    const keys = (args.group_by as readonly { readonly attribute_key: string }[]).map((key) => key.attribute_key)
    return {
      sentence: `${summary} Grouped by ${keys.join(' and ')}.`,
      body,
      list: { name: 'groups', noun: 'groups' },
      rest: () => 'Narrow the conditions or the window.',
    }
  },
}

const compare: Tool = {
  name: 'compare',
  title: 'Compare two sets of messages',
  description: `${whatCompares} ${conditions}`,
  operations: ['compareMessages'],
  async answer(ask, args) {
    const { summary, ...body } = (await ask('compareMessages', args)) as {
      readonly summary: { readonly a: string; readonly b: string }
    }
    return {
      sentence: `Compared: (a) ${summary.a} (b) ${summary.b}`,
      body,
      list: { name: 'pairs', noun: 'pairs' },
      rest: () => 'They differ less than those that are shown. Narrow a or b.',
    }
  },
}

const services: Tool = {
  name: 'services',
  title: 'List services',
  description:
    'Lists the services with spans in a window, with counts of spans and errors and the 95th percentile of ' +
    'durations.',
  operations: ['listServices'],
  async answer(ask, args) {
    const body = (await ask('listServices', args)) as ListedPage
    return listAnswer({ sentence: `Services with spans ${windowPhrase(args)}.`, body, name: 'items', noun: 'services' })
  },
}

const attributes: Tool = {
  name: 'attributes',
  title: 'List attribute keys or values',
  description:
    'Without key: lists the attribute keys of spans in a window. With key: lists the values of that attribute.',
  operations: ['listAttributeKeys', 'listAttributeValues'],
  async answer(ask, { key, ...args }) {
    const isOfKey = key !== undefined
    const body = (await (isOfKey
      ? ask('listAttributeValues', { ...args, key })
      : ask('listAttributeKeys', args))) as ListedPage
    const noun = isOfKey ? 'values' : 'keys'
    const what = isOfKey ? `Values of the attribute ${phrase(key)}` : 'Keys of attributes'
    const source = args.source === undefined ? '' : ` of the source ${phrase(args.source)}`
    const prefix = args.prefix === undefined ? '' : ` that begin with ${phrase(args.prefix)}`
    const part = args.span_limit === undefined ? '' : ` The spans from ${phrase(body.from)} on were read.`
    return listAnswer({
      sentence: `${what}${source}${prefix}, ${windowPhrase(args)}.${part}`,
      body,
      name: 'items',
      noun,
    })
  },
}

const integrations: Tool = {
  name: 'integrations',
  title: 'List integrations',
  description:
    'Lists the integrations: named subsets of the traffic with their rules. Their ids go into integration_id.',
  operations: ['listIntegrations'],
  async answer(ask, args) {
    const body = (await ask('listIntegrations', args)) as ListedPage
    return listAnswer({ sentence: 'Integrations that the caller may see.', body, name: 'items', noun: 'integrations' })
  },
}

const alerts: Tool = {
  name: 'alerts',
  title: 'List alerts',
  description: 'Lists alerts, newest first: which alert rule was violated, when, and the value.',
  operations: ['listAlerts'],
  async answer(ask, args) {
    const state = args.state === undefined ? '' : ` in the state ${phrase(args.state)}`
    const body = (await ask('listAlerts', args)) as ListedPage
    return listAnswer({ sentence: `Alerts${state}.`, body, name: 'items', noun: 'alerts' })
  },
}

export const tools: readonly Tool[] = [
  search,
  count,
  explain,
  message,
  breakdown,
  compare,
  services,
  attributes,
  integrations,
  alerts,
]

/** Returns the sentence of the server for a filter. */
async function summaryOf(ask: Ask, filter: Arguments): Promise<string> {
  const { summary } = (await ask('summarizeMessages', filter)) as { readonly summary: string }
  return summary
}
