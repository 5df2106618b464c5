import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCaller } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { ApiKeys } from './api-keys.tsx'
import { AuditLog } from './audit-log.tsx'
import { People } from './people.tsx'
import { isAllowed, type SettingsSearch, settingsTabs } from './settings-search.ts'
import { Transfer } from './transfer.tsx'

/** The settings of the organization: API keys, export and import, people, and the audit log. */
export function SettingsPage() {
  const search = useSearch({ from: '/settings' })
  const navigate = useNavigate({ from: '/settings' })
  const role = useCaller().data?.role
  const tab = search.tab ?? 'keys'
  const show = (next: SettingsSearch) => void navigate({ search: next })
  return (
    <>
      <TopBar title="Settings">
        <Segments
          label="Part of the settings"
          value={tab}
          options={settingsTabs}
          onChange={(next) => show(next === 'keys' ? {} : { tab: next })}
        />
      </TopBar>
      <main className="page">
        {role !== undefined && !isAllowed(tab, role) && (
          <div className="notice" role="status">
            {tab === 'transfer'
              ? 'You need the viewer role to see the configuration. Your role is restricted.'
              : `You need the admin role for this part of the settings. Your role is ${role}.`}
          </div>
        )}
        {role !== undefined && isAllowed(tab, role) && (
          <>
            {tab === 'keys' && <ApiKeys />}
            {tab === 'transfer' && <Transfer role={role} />}
            {tab === 'people' && <People />}
            {tab === 'audit' && <AuditLog search={search} onChange={show} />}
          </>
        )}
      </main>
    </>
  )
}
