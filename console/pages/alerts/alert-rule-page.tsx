import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { isUnknownRecord } from '../../app/api.ts'
import { useCaller, useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { DeleteButton } from '../../parts/records/delete-button.tsx'
import { useWindowEnd } from '../../parts/time/window-end.ts'
import { UpLink } from '../../parts/up-link.tsx'
import { working } from '../../parts/working.ts'
import { AlertList } from './alert-list.tsx'
import { type AlertRule, useAlertRule, useAlertRuleChanges, useAlerts } from './alert-query.ts'
import { AlertRuleEditor } from './alert-rule-editor.tsx'
import { RuleState } from './alert-rule-state.tsx'

/** One alert rule with its alerts, or the form for a new one. */
export function AlertRulePage() {
  const { id } = useParams({ from: '/alerts/rules/$id' })
  return id === 'new' ? <NewRule /> : <KnownRule key={id} id={id} />
}

/** Returns the window of the address for the top bar, and the time at which a relative one ends. */
function useWindow() {
  const { draft, ...window } = useSearch({ from: '/alerts/rules/$id' })
  const [at, onRefresh] = useWindowEnd(window, draft)
  const navigate = useNavigate({ from: '/alerts/rules/$id' })
  const onWindow = (next: typeof window) =>
    void navigate({ search: { ...next, ...(draft === undefined ? {} : { draft }) } })
  return { at, bar: { window, onWindow, onRefresh } }
}

function NewRule() {
  const isKnown = useCaller().data !== undefined
  const mayWrite = useMayWrite()
  const { at, bar } = useWindow()
  return (
    <>
      <TopBar above={<UpLink to="/alerts">Alerts</UpLink>} title="New alert rule" {...bar} />
      <main className="page">
        {isKnown && mayWrite && <AlertRuleEditor rule={undefined} at={at} isGone={false} />}
        {isKnown && !mayWrite && (
          <p className="notice">
            You need the contributor role to add alert rules. <UpLink to="/alerts">All rules</UpLink>
          </p>
        )}
      </main>
    </>
  )
}

function KnownRule({ id }: { readonly id: string }) {
  const rule = useAlertRule(id)
  const isGone = isUnknownRecord(rule.error)
  if (rule.data !== undefined) return <OpenRule rule={rule.data} isGone={isGone} />
  return (
    <>
      <TopBar above={<UpLink to="/alerts">Alerts</UpLink>} title="Alert rule" />
      <main className="page">
        {rule.error === null && <WaitingList words="Loading the rule" />}
        {isGone && (
          <div className="notice">
            This rule does not exist, or was deleted. <UpLink to="/alerts">All rules</UpLink>
          </div>
        )}
        {rule.error !== null && !isGone && <Fault error={rule.error} retry={() => void rule.refetch()} />}
      </main>
    </>
  )
}

interface OpenRuleProps {
  readonly rule: AlertRule
  /** Whether another person has deleted it. */
  readonly isGone: boolean
}

function OpenRule({ rule, isGone }: OpenRuleProps) {
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const alerts = useAlerts({ ruleId: rule.id })
  const { update, remove } = useAlertRuleChanges()
  const failed = update.error ?? remove.error
  const { last_error: lastError } = rule.state
  const { at, bar } = useWindow()
  return (
    <>
      <TopBar above={<UpLink to="/alerts">Alerts</UpLink>} title={rule.name} {...bar}>
        {!isGone && <RuleState {...rule} />}
        {mayWrite && !isGone && (
          <>
            <Button
              className="button"
              onPress={() => update.mutate({ rule, body: { enabled: !rule.enabled } })}
              {...working(update.isPending)}
            >
              {rule.enabled ? 'Disable' : 'Enable'}
            </Button>
            <DeleteButton
              noun="the rule"
              question="Delete it and resolve its open alert?"
              isPending={remove.isPending}
              onDelete={() => remove.mutate(rule, { onSuccess: () => void navigate({ to: '/alerts' }) })}
            />
          </>
        )}
      </TopBar>
      <main className="page">
        {failed !== null && !isGone && <Fault error={failed} />}
        {lastError !== null && <div className="notice fault">The last evaluation failed: {lastError}</div>}
        {!mayWrite && (
          <p className="soft">You need the contributor role to change alert rules. What you try here is not saved.</p>
        )}
        <AlertRuleEditor rule={rule} at={at} isGone={isGone} />
        <h2>Alerts of this rule</h2>
        <AlertList alerts={alerts} />
      </main>
    </>
  )
}
