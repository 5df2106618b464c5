import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomFilter } from '../support/random-filter.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { intrinsicKeys } from '../support/reference-attribute.ts'
import { operandOf, operators } from '../support/reference-operators.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

type Filter = components['schemas']['MessageFilter']
type Row = components['schemas']['MessageRow']
type Condition = components['schemas']['StepCondition']

/** A case is a filter. */
const sets = setsOf('sentences', 20)

const org = 'sentences'

let subject: HttpSubject
let integrationIds: string[]
beforeAll(async () => {
  subject = await openHttpSubject()
  const named = texts.filter(isName).map((name) => ({ name, rule_match: 'any' as const, matchers: [] }))
  integrationIds = await Promise.all(named.map((integration) => subject.createIntegration(org, integration)))
})
afterAll(() => subject.close())

const ask = <Answer>(path: string, body: object) => subject.ask<Answer>(org, 'POST', `/api/v1/messages/${path}`, body)

/** Keys and values that could be taken for other parts of a sentence. */
const texts = [
  '',
  ' ',
  '.',
  'a',
  'a step',
  'a deleted integration',
  'step with (',
  'service',
  'duration_ms',
  'span',
  'span attribute x',
  'message attribute',
  'message',
  'is',
  'is present',
  'equals "x" and b never equals "y"',
  '" (including child spans)',
  'x. ',
  'x, in the last hour.',
  "it's",
  'back\\slash\\',
  'line\nbreak\t\u0000',
  'Zürich 😀',
  '\u2028 “quoted”',
]

/** Names of records have no control characters and no spaces around them. */
function isName(text: string): boolean {
  return text !== '' && text.trim() === text && !/\p{Cc}/u.test(text)
}

function randomCondition(random: Random): Row {
  const source = random.pick(['any', 'any', 'span', 'resource', 'intrinsic'] as const)
  const operator = random.pick(operators)
  const value = { number: random.pick(['1', '-2.5', '1e3']), pattern: '^a"b\\.', text: random.pick(texts) }
  const kind = operandOf(operator)
  return {
    ...(source === 'any' && random.chance(0.5) ? {} : { attribute_source: source }),
    attribute_key: source === 'intrinsic' ? random.pick(intrinsicKeys) : random.pick([...texts, 'http.route', 'x-1']),
    operator,
    ...(kind === 'none' ? {} : { value: value[kind] }),
  } as Row
}

function randomRelation(random: Random): NonNullable<Filter['relations']>[number] {
  const kind = random.pick([
    'followed_by',
    'not_followed_by',
    'contains',
    'not_contains',
    'called_by',
    'not_called_by',
  ] as const)
  const conditions = () => Array.from({ length: random.below(3) }, () => randomCondition(random) as Condition)
  const isTimed = kind.endsWith('followed_by') && random.chance(0.6)
  const within = isTimed ? { within_ms: random.pick([0, 1, 999, 1_000, 60_000, 90_000, 86_400_000]) } : {}
  return { kind, from: conditions(), to: conditions(), ...within }
}

/** Writes all defaults of a condition out, as the filter of a sentence does. */
function normalRow(row: Row | Condition): object {
  const { attribute_source = 'any', attribute_key, operator } = row
  const hasValue = operandOf(operator) !== 'none' && 'value' in row
  const isDeep = 'includeDescendants' in row && row.includeDescendants === true
  return {
    attribute_source,
    attribute_key,
    operator,
    ...(hasValue ? { value: String(row.value) } : {}),
    ...(isDeep ? { includeDescendants: true } : {}),
  }
}

/** Draws a window that ends now, in whole units of time and others. */
function randomRelativeWindow(random: Random) {
  const last_s = random.pick([1, 59, 60, 90, 900, 3_600, 3_601, 86_400, 604_800, 3_153_600_000])
  return { kind: 'relative' as const, last_s }
}

/** The times that a relative window has while the request is answered. */
const timesOfNow = { from: expect.any(String), to: expect.any(String) }

function normal({ rows = [], relations = [], ...rest }: Filter): object {
  const written = relations.map(({ from, to, ...relation }) => {
    return { ...relation, from: from.map(normalRow), to: to.map(normalRow) }
  })
  return { ...rest, rows: rows.map(normalRow), ...(relations.length === 0 ? {} : { relations: written }) }
}

const title = `seed ${fuzzSettings.seed}, ${casesOf('sentences')} filters`

it(`the filter of a summary is the summarized filter, ${title}`, { timeout: timeoutOf('sentences') }, async () => {
  await checkSets(sets, checkSet)
})

async function checkSet(set: FuzzSet): Promise<void> {
  const random = seededRandom(set.seed)
  const traces = randomTraces(random, { org })
  for (let left = set.cases; left > 0; left--) {
    const drawn = toRequestBody(randomFilter(random, traces)) as Filter
    const own = Array.from({ length: random.below(4) }, () => randomCondition(random))
    const relations = Array.from({ length: random.below(3) }, () => randomRelation(random))
    const filter: Filter = {
      ...drawn,
      rows: [...(drawn.rows ?? []), ...own],
      ...(relations.length > 0 && { relations }),
      ...(random.chance(0.3) && { integration_id: random.pick(integrationIds) }),
    }
    const { from, to, ...others } = filter
    const window = randomRelativeWindow(random)
    const sent = random.chance(0.3) ? { ...others, window } : filter
    const { summary } = await ask<{ summary: string }>('summary', sent)
    const parsed = await ask<Filter>('parse', { sentence: summary, keep_relative_window: true })
    expect(parsed, summary).toEqual({ ...normal(sent), ...('window' in sent && timesOfNow) })
  }
}
