import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { allIntegrations } from '../../parts/answers/all-integrations.ts'
import { conditionWords, relationSentence } from '../../parts/conditions/condition-words.ts'
import { isComplete } from '../../parts/conditions/operators.ts'
import { useChannels } from '../channels/channel-query.ts'
import { alertRuleCreateOf, includeWords, isMessageFilter, type RuleDraft, scopeOf } from './alert-rule-draft.ts'
import { alertRuleWords } from './alert-rule-state.tsx'

interface RuleVersionProps {
  readonly draft: RuleDraft
  /** The version that this one conflicts with; undefined until it is known. */
  readonly other: RuleDraft | undefined
}

/** One of two versions of a rule: what it measures, and whatever else differs from the other. */
export function RuleVersion({ draft, other = draft }: RuleVersionProps) {
  const channels = useChannels().data ?? []
  const integrations = useQuery(allIntegrations).data ?? []
  const body = alertRuleCreateOf(draft)
  if (body === undefined) return null
  const settingsOf = (version: RuleDraft) => [
    ['Integration', scopeOf(version) === 'integration' ? nameOf(version.integration, integrations) : 'none'],
    ['Conditions', conditionsOf(version) || 'no conditions'],
    ['For at least', version.for],
    ['Severity', version.severity],
    ['Channels', version.channels.map((id) => nameOf(id, channels)).join(', ') || 'no channels'],
    ['Notifications contain', contentOf(version) || 'nothing of these'],
  ]
  const others = new Map(settingsOf(other).map(([title = '', words]) => [title, words]))
  return (
    <>
      <p>
        <strong>{draft.name}</strong>: {alertRuleWords(body)}
      </p>
      <dl className="summary">
        {settingsOf(draft)
          .filter(([title = '', words]) => words !== others.get(title))
          .map(([title, words]) => (
            <Fragment key={title}>
              <dt>{title}</dt>
              <dd>{words}</dd>
            </Fragment>
          ))}
      </dl>
    </>
  )
}

function nameOf(id: string, known: readonly { readonly id: string; readonly name: string }[]): string {
  return known.find((each) => each.id === id)?.name ?? id
}

function conditionsOf(draft: RuleDraft): string {
  const { conditions, rows, relations, kind } = draft
  const words = isMessageFilter(draft)
    ? [
        ...rows.filter(isComplete).map((each) => conditionWords(each, 'message')),
        ...relations.map((each) => relationSentence(each)),
      ]
    : conditions.filter(isComplete).map((each) => conditionWords(each, kind === 'metric' ? 'record' : 'alert'))
  return words.join(' and ')
}

function contentOf({ include }: RuleDraft): string {
  return includeWords.flatMap(([part, words]) => (include[part] ? [words] : [])).join(', ')
}
