import { attributesMax } from './attribute-list.ts'
import type { OutcomeBuilder } from './outcome.ts'
import { valueDepthMax } from './value-writer.ts'

/** What of a request is stored otherwise than it came: of what there are how many, and in which words its sender is told. */
const kinds = {
  excess: [
    'attribute',
    `left out: one resource, scope or record, or one part of a record, has more than ${attributesMax}`,
  ],
  longKeys: ['attribute', 'left out: the key is longer than 256 characters'],
  brokenKeys: ['attribute', 'left out: the key is not valid UTF-8'],
  deepValues: ['attribute', `left out: arrays and lists are nested more than ${valueDepthMax} deep`],
  deepBodies: ['value', `of a body left out: arrays and lists are nested more than ${valueDepthMax} deep`],
  badIds: ['id', 'of a trace or a span left out: it has a length that no such id has'],
  badExemplarIds: ['exemplar id', 'left out: it is neither empty nor of the right length'],
  emptyMetrics: ['metric', 'passed over: it has no data of a kind that OTLP has'],
  badLinks: ['link', 'left out: an id is neither empty nor of the right length'],
  repairedTexts: ['string', 'not valid UTF-8: the invalid bytes are replaced by U+FFFD'],
} as const

export type Losses = Record<keyof typeof kinds, number>

export function noLosses(): Losses {
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])) as Losses
}

export function noteLosses(losses: Losses, outcome: OutcomeBuilder<string>): void {
  for (const [kind, [noun, what]] of Object.entries(kinds)) outcome.note(losses[kind as keyof Losses], noun, what)
}
