/** Carries out calls of tools: arguments become requests to operations, and problems become answers of the tool. */

import { type Caller, roleAllows } from '../auth/caller.ts'
import type { CallOperation } from '../http/call-operation.ts'
import { readDocument } from '../http/contract/document.ts'
import { listOperations, type Operation } from '../http/contract/operations.ts'
import { unknownNameMessage } from '../http/validation/fault-messages.ts'
import { invalidFields, Problem, problem } from '../problem/problem.ts'
import { answerBytesMax, answerText } from './answer.ts'
import { isObject, RpcError } from './json-rpc.ts'
import { type ArgumentsSchema, argumentsSchema } from './tool-schema.ts'
import { type Arguments, type Ask, type Tool, tools } from './tools.ts'

interface OfferedTool extends Tool {
  readonly schema: ArgumentsSchema
}

/** What a call needs to know of the request that carries it. */
export interface CallContext {
  readonly caller: Caller
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** Takes the error behind an answer that only says that the server has failed. */
  readonly onFault: (error: unknown) => void
}

export interface ToolCalls {
  /** Returns the tools that a caller may call, in the form of `tools/list`. */
  list(caller: Caller): readonly object[]
  /** Returns the name of a tool, which may be one that a caller may not call; undefined for anything else. */
  nameOf(name: unknown): string | undefined
  /**
   * Calls a tool and returns the result of `tools/call`.
   * @throws RpcError `invalidParams` if there is no such tool for the caller
   */
  call(params: Arguments, context: CallContext): Promise<object>
}

export function createToolCalls(callOperation: CallOperation): ToolCalls {
  const document = readDocument()
  const operations = new Map(listOperations(document).map((operation) => [operation.id as string, operation]))
  const offered = tools.map((tool) => ({ ...tool, schema: argumentsSchema(document, tool) }))
  const mayCall =
    ({ role }: Caller) =>
    (tool: OfferedTool) =>
      tool.operations.every((id) => roleAllows(role, operations.get(id)?.role ?? 'admin'))
  return {
    list: (caller) => offered.filter(mayCall(caller)).map(listed),
    nameOf: (name) => offered.find((tool) => tool.name === name)?.name,
    async call({ name, arguments: sent = {} }, context) {
      const tool = offered.filter(mayCall(context.caller)).find((each) => each.name === name)
      if (tool === undefined) throw noSuchTool(name, offered.filter(mayCall(context.caller)))
      if (!isObject(sent)) throw new RpcError('invalidParams', 'The member "arguments" must be an object.')
      try {
        const args = knownArguments(tool, sent)
        return contentOf(answerText(await tool.answer(askAs(context, callOperation, operations), args)))
      } catch (error) {
        if (!(error instanceof Problem) && !context.signal.aborted) context.onFault(error)
        return { ...contentOf(faultText(error)), isError: true }
      }
    },
  }
}

function listed({ name, title, description, schema }: OfferedTool): object {
  const annotations = { title, readOnlyHint: true, openWorldHint: false }
  return { name, title, description, inputSchema: schema, annotations }
}

function noSuchTool(name: unknown, known: readonly OfferedTool[]): RpcError {
  const names = known.map((tool) => tool.name).join(', ')
  const shown = typeof name === 'string' ? JSON.stringify(name.slice(0, 100)) : 'without a name'
  return new RpcError('invalidParams', `There is no tool ${shown} for this caller. Tools: ${names}.`)
}

/** Returns the arguments without those that are null, as agents write absent ones. */
function knownArguments({ schema }: OfferedTool, sent: Arguments): Arguments {
  const known = Object.keys(schema.properties)
  const unknown = Object.keys(sent).filter((name) => !known.includes(name))
  const faults = [
    ...unknown.map((name) => ({
      pointer: `/${name}`,
      code: 'unknown_field',
      message: unknownNameMessage('argument', name, known),
    })),
    ...schema.required
      .filter((name) => sent[name] === undefined || sent[name] === null)
      .map((name) => ({ pointer: `/${name}`, code: 'required', message: 'is required' })),
  ]
  if (faults.length > 0) throw invalidFields(faults)
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

/**
 * Returns the function by which a tool calls operations as its caller. It sends each argument where the operation has a
 * parameter of this name, in the path or the query, and otherwise in the body.
 */
function askAs(
  { caller, signal, requestId }: CallContext,
  callOperation: CallOperation,
  operations: ReadonlyMap<string, Operation>,
): Ask {
  return async (id, args) => {
    const operation = operations.get(id)
    if (operation === undefined) throw new Error(`There is no operation ${id}.`)
    const isOfPath = (name: string) => operation.path.includes(`{${name}}`)
    const hasBody = operation.requestTypes.length > 0
    const isOfBody = (name: string) => hasBody && !operation.queryNames.includes(name)
    const entries = Object.entries(args)
    const parameters = entries.filter(([name]) => isOfPath(name) || !isOfBody(name))
    const texts = parameters.map(([name, value]) => [name, parameterText(name, value)] as const)
    try {
      return await callOperation({
        id,
        caller,
        signal,
        requestId,
        path: Object.fromEntries(texts.filter(([name]) => isOfPath(name))),
        query: Object.fromEntries(texts.filter(([name]) => !isOfPath(name))),
        body: Object.fromEntries(entries.filter(([name]) => !isOfPath(name) && isOfBody(name))),
      })
    } catch (error) {
      throw error instanceof Problem ? inArguments(error) : error
    }
  }
}

/** @throws Problem if a parameter, which is a text in an address, is an object or a list */
function parameterText(name: string, value: unknown): string {
  if (typeof value === 'object')
    throw invalidFields([{ pointer: `/${name}`, code: 'type', message: 'must be a string' }])
  return String(value)
}

/** Points at arguments in place of parameters of the path and the query. */
function inArguments({ code, message, extras }: Problem): Problem {
  const pattern = /#\/(?:query|path)\//g
  const errors = extras.errors?.map((fault) => ({ ...fault, pointer: fault.pointer.replace(pattern, '/') }))
  return problem(code, message.replaceAll(pattern, '/'), errors === undefined ? extras : { ...extras, errors })
}

function contentOf(text: string): object {
  return { content: [{ type: 'text', text }] }
}

/** Returns title, detail and the faults of a problem, each with its pointer into the arguments. */
function faultText(error: unknown): string {
  if (!(error instanceof Problem)) return 'Internal server error. The log has the details under the id in X-Request-Id.'
  const { title, status, code, message, extras } = error
  const faults = (extras.errors ?? []).map(
    (fault) => `${fault.pointer || '(arguments)'}: ${fault.message} (${fault.code})`,
  )
  const retry = extras.retryAfterSeconds === undefined ? [] : [`Retry after ${Math.ceil(extras.retryAfterSeconds)} s.`]
  const text = [`${title} (${status} ${code}): ${message}`, ...faults, ...retry].join('\n')
  return text.length <= answerBytesMax / 4 ? text : `${text.slice(0, answerBytesMax / 4)}…`
}
