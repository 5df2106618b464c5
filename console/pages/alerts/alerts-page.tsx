import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { usePreferences } from '../../app/preferences.tsx'
import { useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/fault.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { WaitingList } from '../../parts/list-states.tsx'
import { Segments } from '../../parts/segments.tsx'
import { formatTime } from '../../parts/time.ts'
import { AlertList } from './alert-list.tsx'
import { type AlertRule, useAlertRules, useAlerts } from './alert-query.ts'
import { RuleState, ruleWords } from './rule-state.tsx'

/** The alert rules with their states, or the alerts that they raised. */
export function AlertsPage() {
  const search = useSearch({ from: '/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const mayWrite = useMayWrite()
  const { show = 'rules', state } = search
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
          {show === 'alerts' && (
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
          {!mayWrite && <span className="soft">Changing alert rules needs the role contributor.</span>}
        </div>
        {show === 'rules' ? <Rules /> : <Alerts />}
      </main>
    </>
  )
}

const order = { firing: 0, pending: 1, no_data: 2, ok: 3 } as const

function rankOf({ enabled, state }: AlertRule): number {
  return enabled ? order[state.status] : 4
}

function Rules() {
  const rules = useAlertRules()
  if (rules.isPending) return <WaitingList words="Loading alert rules" />
  if (rules.data === undefined) return <Fault error={rules.error} retry={() => void rules.refetch()} />
  if (rules.data.length === 0) {
    return (
      <div className="card empty-list">
        <h2>No alert rules yet</h2>
        <p className="soft">A rule measures spans, messages or a metric, and notifies channels beyond a threshold.</p>
      </div>
    )
  }
  return (
    <>
      {rules.error !== null && <Fault error={rules.error} retry={() => void rules.refetch()} />}
      <RuleTable rules={rules.data.toSorted((a, b) => rankOf(a) - rankOf(b))} />
    </>
  )
}

function RuleTable({ rules }: { readonly rules: readonly AlertRule[] }) {
  const { isUtc } = usePreferences()
  return (
    <div className="card records-box">
      <table className="records">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Rule</th>
            <th scope="col">Measures</th>
            <th scope="col">Value</th>
            <th scope="col">Since</th>
            <th scope="col">Severity</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.id}>
              <td>
                <RuleState {...rule} />
              </td>
              <td>
                <Link className="record-link" to="/alerts/rules/$id" params={{ id: rule.id }}>
                  {rule.name}
                </Link>
              </td>
              <td>{ruleWords(rule)}</td>
              <td>{rule.state.value ?? <span className="soft">no data</span>}</td>
              <td className="mono">{formatTime(rule.state.since, isUtc)}</td>
              <td>{rule.severity}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Alerts() {
  const { state, alert } = useSearch({ from: '/alerts' })
  const alerts = useAlerts({ state })
  return <AlertList alerts={alerts} open={alert} />
}
