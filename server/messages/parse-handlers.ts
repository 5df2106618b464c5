import { checkMessageFilter, InvalidSentence, parseSentence, type ReadSentence } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { type Problem, raise, refusedFields, unknownAt } from '../problem/problem.ts'
import { rfc3339Window } from '../telemetry/time-window.ts'

/** Creates the handler that turns a sentence into the message search that it describes. */
export function parseHandlers(deps: Deps): Handlers<'parseMessageSummary'> {
  return {
    parseMessageSummary: async (request) => ({ status: 200, body: await parseSummary(deps, request) }),
  }
}

/** Returns the filter of a sentence. @throws Problem 422 that points at the character that is not understood */
async function parseSummary(
  deps: Deps,
  { caller, body }: HandlerRequest<'parseMessageSummary'>,
): Promise<components['schemas']['SentenceFilter']> {
  const { sentence, keep_relative_window } = body
  const { integration, status, rows, relations, window } = readSentence(sentence)
  const id = integration && ((await deps.findIntegrationId(caller, integration.name)) ?? raise(unknown(integration)))
  return {
    ...windowOf(window, deps.now(), keep_relative_window),
    ...(id === undefined ? {} : { integration_id: id }),
    ...(status === undefined ? {} : { status }),
    rows: rows as components['schemas']['MessageRow'][],
    ...(relations.length === 0 ? {} : { relations: relations as components['schemas']['Relation'][] }),
  }
}

/** Searches take only times. A relative window is therefore returned as times, and as such only on request. */
function windowOf(
  window: ReadSentence['window'],
  now: Date,
  keepsRelative: boolean | undefined,
): Partial<components['schemas']['SentenceFilter']> {
  if (window === undefined || !('last_s' in window)) return window ?? {}
  const times = rfc3339Window(window, now)
  return keepsRelative ? { ...times, window: { kind: 'relative', last_s: window.last_s } } : times
}

function readSentence(sentence: string): ReadSentence {
  try {
    return parseSentence(sentence, checkMessageFilter)
  } catch (error) {
    if (!(error instanceof InvalidSentence)) throw error
    const { message, position } = error
    throw refusedFields([{ pointer: '/sentence', code: 'unexpected_text', message, position }])
  }
}

function unknown({ name, position }: NonNullable<ReadSentence['integration']>): Problem {
  return refusedFields([{ ...unknownAt('/sentence', 'integration', name), position }])
}
