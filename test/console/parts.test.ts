import { expect, it } from 'vitest'
import type { Relation } from '../../console/app/search.ts'
import {
  type Integration,
  matcherOperators,
  toDraft,
  toMatchers,
} from '../../console/pages/integrations/editor/draft.ts'
import { choicesOf, listsOf } from '../../console/pages/services/service/override-choices.ts'
import { messagesOfWidget } from '../../console/pages/services/service/widget-messages.ts'
import { likelySentence } from '../../console/parts/conditions/likely-sentence.ts'
import { type MessageRow, operatorsOf } from '../../console/parts/conditions/operators.ts'
import { logFields, seriesFields, spanFields } from '../../console/parts/conditions/record-fields.ts'
import { isFacetKey } from '../../console/parts/facets/facets.ts'
import { builtInFacets } from '../../server/facets/built-in-facets.ts'
import { widgetDefinitions } from '../../server/facets/widgets/definitions.ts'
import { messageFields } from '../../sql/ir/message-field.ts'
import { operators, operatorTable } from '../../sql/operators.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { parseRelations } from '../../sql/parse/relation.ts'
import { intrinsicKeysOf, logRecords, seriesRecords, spanRecords } from '../../sql/record-kinds/record-kinds.ts'
import { describeMessages } from '../../sql/sentence/describe.ts'

it('matchers are offered every operator that they can have, and keep that of a newer server', () => {
  const names = Object.values(operatorTable).flatMap(({ matcherName }) => matcherName ?? [])
  expect(matcherOperators).toHaveLength(names.length)
  const matcherOf = (operator: string) => ({ match_group: operator, service: 'cart', attribute_key: 'k', operator })
  const matchers = [...names, 'not_prefix'].map(matcherOf)
  const draft = toDraft({ name: 'Carts', description: '', rule_match: 'any', matchers } as unknown as Integration)
  expect(toMatchers(draft, false).matchers).toMatchObject(matchers)
})

it('the fields that are suggested are those that the server knows', () => {
  expect(Object.keys(spanFields).toSorted()).toEqual(intrinsicKeysOf(spanRecords).toSorted())
  expect(Object.keys(logFields).toSorted()).toEqual(intrinsicKeysOf(logRecords).toSorted())
  expect(Object.keys(seriesFields).toSorted()).toEqual(intrinsicKeysOf(seriesRecords).toSorted())
})

it('the attributes that facets show first are suggested before others', () => {
  const keys = builtInFacets.flatMap(({ keyAttributes }) => keyAttributes)
  expect(keys.filter((key) => !isFacetKey(key))).toEqual([])
  expect(['io.kind', 'io.role', 'order.id', 'service.name', 'net.peer.names'].map(isFacetKey)).toEqual([
    ...[true, true],
    ...[false, false, false],
  ])
})

it('a widget that measures failures or durations leads to the failed or to the longest messages', () => {
  const links = [...widgetDefinitions].map(([facet, widgets]) =>
    widgets.map((widget) => {
      const { rows = [], order } = messagesOfWidget({ service: 'cart', facet, widget, rules: [], window: {} })
      return [widget.id, rows.some(({ attribute_key }) => attribute_key === 'status'), order]
    }),
  )
  const expected = [...widgetDefinitions.values()].map((widgets) =>
    widgets.map(({ id, measures: [first] }) => {
      const isOfFailures = first?.measure === 'error_rate' || first?.measure === 'error_count'
      return [id, isOfFailures, first?.measure === 'p50' ? 'longest' : undefined]
    }),
  )
  expect(links).toEqual(expected)
})

it('a row about a field of the message is offered the operators that the server accepts, and no others', () => {
  const isAccepted = (row: object) => {
    try {
      return parseMessageRows([row]).length === 1
    } catch {
      return false
    }
  }
  for (const attribute_key of messageFields) {
    const row = { attribute_source: 'message', attribute_key, value: '1' }
    const accepted = operators.filter((operator) => isAccepted({ ...row, operator }))
    expect([attribute_key, operatorsOf({ ...row, operator: 'eq' } as MessageRow)]).toEqual([attribute_key, accepted])
  }
})

it('the place of a sentence is as long as the sentence that the server writes', () => {
  const rows = [
    { attribute_key: 'order.id', operator: 'exists' },
    { attribute_source: 'resource', attribute_key: 'region', operator: 'neq', value: 'eu' },
    { attribute_source: 'message', attribute_key: 'span_count', operator: 'gt', value: 5 },
    { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true },
  ] as MessageRow[]
  const step = (name: string) => [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: name }]
  const timed = { kind: 'not_followed_by', from: step('pay'), to: step('ship'), within_ms: 600_000 } as const
  const relations = [timed, { kind: 'called_by', from: [], to: step('cart') }] as Relation[]
  const [from, to] = ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.250Z']
  const described = describeMessages({
    rows: parseMessageRows(rows),
    relations: parseRelations(relations),
    status: 'error',
    window: { fromNs: BigInt(Date.parse(from)) * 1_000_000n, toNs: BigInt(Date.parse(to)) * 1_000_000n },
  })
  const likely = likelySentence('Messages', 'message', { conditions: rows, relations, status: 'error', from, to })
  expect(likely).toBe(described)
})

it('saving the overrides of a service keeps those of deleted facets', () => {
  const facet = (slug: string, override: 'include' | 'exclude' | null) => ({
    slug,
    override,
    detected: false,
    effective: override === 'include',
    state: [],
  })
  const overrides = {
    include: ['deleted', 'db-output'],
    exclude: ['also-deleted', 'http-input'],
    facets: [facet('http-input', 'exclude'), facet('worker', null), facet('db-output', 'include')],
    version: 3,
  }
  const chosen = new Map([...choicesOf(overrides), ['worker', 'include'] as const])
  expect(listsOf(chosen)).toEqual({
    include: ['worker', 'db-output', 'deleted'],
    exclude: ['http-input', 'also-deleted'],
  })
})
