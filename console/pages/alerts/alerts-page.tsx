import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { usePreferences } from '../../app/preferences.tsx'
import { useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { allIntegrations } from '../../parts/answers/all-integrations.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { useShownRecords } from '../../parts/answers/shown.tsx'
import { formatValue } from '../../parts/chart/units.ts'
import { countedOf } from '../../parts/counted.ts'
import { FindField } from '../../parts/forms/find-field.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { beginningOf } from '../../parts/long-text.tsx'
import { formatTime } from '../../parts/time/time.ts'
import { AlertList, LinkedAlert } from './alert-list.tsx'
import { type AlertRule, type AlertState, useAlertRules, useAlerts } from './alert-query.ts'
import { shownValue, unitOfMeasure } from './alert-rule-draft.ts'
import { alertRuleConditionWords, alertRuleWords, RuleState } from './alert-rule-state.tsx'

/** The alert rules with their states, or the alerts that they raised. */
export function AlertsPage() {
  const search = useSearch({ from: '/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const mayWrite = useMayWrite()
  const { show = 'rules', state, alert } = search
  return (
    <>
      <TopBar title="Alerts">
        {mayWrite && (
          <Link className="button primary" to="/alerts/rules/$id" params={{ id: 'new' }}>
            <AddIcon /> New rule
          </Link>
        )}
      </TopBar>
      <main className="page">
        <div className="field-line">
          <Segments
            label="What is listed"
            value={show}
            options={[
              ['rules', 'Rules'],
              ['alerts', 'Alerts'],
            ]}
            onChange={(next) => void navigate({ search: next === 'rules' ? {} : { show: next } })}
          />
          {alert !== undefined && show === 'alerts' && (
            <Link to="/alerts" search={{ show: 'alerts' }}>
              All alerts
            </Link>
          )}
          {show === 'alerts' && alert === undefined && (
            <Segments
              label="State of the alerts"
              value={state ?? 'all'}
              options={[
                ['all', 'All'],
                ['firing', 'Firing'],
                ['resolved', 'Resolved'],
              ]}
              onChange={(next) =>
                void navigate({ search: { show: 'alerts', ...(next === 'all' ? {} : { state: next }) } })
              }
            />
          )}
          {!mayWrite && <span className="soft">You need the contributor role to change alert rules.</span>}
        </div>
        {show === 'rules' && <Rules />}
        {show === 'alerts' && alert === undefined && <Alerts state={state} />}
        {show === 'alerts' && alert !== undefined && <LinkedAlert key={alert} id={alert} />}
      </main>
    </>
  )
}

const states = ['firing', 'pending', 'no_data', 'ok'] as const
const severities = ['critical', 'warning', 'info'] as const
/** The number of rules that are shown at first. Rendering hundreds of them on every keystroke would delay typing. */
const shownStep = 50

/**
 * Returns the rank of a rule in the list: firing ones first, disabled ones last, and critical ones first within a
 * state.
 */
function rankOf({ enabled, state, severity }: AlertRule): number {
  const rank = enabled ? states.indexOf(state.status) : states.length
  return rank * severities.length + severities.indexOf(severity)
}

function Rules() {
  const { find = '' } = useSearch({ from: '/alerts' })
  const mayWrite = useMayWrite()
  const navigate = useNavigate({ from: '/alerts' })
  const rules = useAlertRules()
  const integrations = useQuery(allIntegrations)
  const nameOf = new Map<string | undefined, string>(integrations.data?.map(({ id, name }) => [id, name]))
  if (rules.isPending) return <WaitingList words="Loading alert rules" />
  if (rules.data === undefined) return <Fault error={rules.error} retry={() => void rules.refetch()} />
  if (rules.data.length === 0) {
    return (
      <div className="card empty-list">
        <h2>No alert rules yet</h2>
        <p className="soft">A rule measures spans, messages or a metric, and notifies channels beyond a threshold.</p>
        {mayWrite && (
          <Link to="/alerts/rules/$id" params={{ id: 'new' }}>
            Add the first rule
          </Link>
        )}
      </div>
    )
  }
  const lines = rules.data.map((rule) => ({
    rule,
    words: alertRuleWords(rule, nameOf.get(rule.integration_id)),
    where: alertRuleConditionWords(rule),
  }))
  const found = lines.filter(({ rule, words, where }) =>
    `${rule.name}\n${words}\n${where}\n${rule.severity}`.toLowerCase().includes(find.toLowerCase()),
  )
  return (
    <>
      <FindField
        className="list-search"
        label="Find an alert rule"
        placeholder="Find by name or what it measures"
        value={find}
        onChange={(text) => void navigate({ search: text === '' ? {} : { find: text }, replace: true })}
      />
      {rules.error !== null && <Fault error={rules.error} retry={() => void rules.refetch()} />}
      {found.length === 0 ? (
        <p className="notice">No alert rule has “{find}” in its name or what it measures.</p>
      ) : (
        <RuleTable lines={found.toSorted((a, b) => rankOf(a.rule) - rankOf(b.rule))} />
      )}
      <p className="soft" role="status">
        {countedOf(found.length, rules.data.length, 'rule')}
      </p>
    </>
  )
}

/** Longer conditions are truncated in the list. The page of the rule shows them whole. */
const whereLengthMax = 200

interface RuleLine {
  readonly rule: AlertRule
  /** The measure and the threshold of the rule, in words. */
  readonly words: string
  /** Its conditions in words. */
  readonly where: string
}

function RuleTable({ lines }: { readonly lines: readonly RuleLine[] }) {
  const { isUtc } = usePreferences()
  const { shown, more } = useShownRecords(lines, shownStep)
  return (
    <>
      <div className="card records-box">
        <table className="records alert-rules">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Rule</th>
              <th scope="col">Measures</th>
              <th scope="col" className="number">
                Value
              </th>
              <th scope="col">Since</th>
              <th scope="col">Severity</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ rule, words, where }) => (
              <tr key={rule.id}>
                <td>
                  <RuleState {...rule} />
                </td>
                <td>
                  <Link className="record-link" to="/alerts/rules/$id" params={{ id: rule.id }}>
                    {rule.name}
                  </Link>
                </td>
                <td className="measures">
                  {words}
                  {where !== '' && (
                    <div className="soft" title={where}>
                      {beginningOf(where, whereLengthMax)}
                    </div>
                  )}
                </td>
                <td className="number" data-label="value">
                  {rule.state.value === null ? (
                    <span className="soft">no data</span>
                  ) : (
                    formatValue(shownValue(rule.state.value, rule.measure), unitOfMeasure(rule.measure))
                  )}
                </td>
                <td className="mono" data-label="since">
                  {formatTime(rule.state.since, isUtc)}
                </td>
                <td>{rule.severity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  )
}

function Alerts({ state }: { readonly state: AlertState | undefined }) {
  const alerts = useAlerts({ state })
  return <AlertList alerts={alerts} state={state} />
}
