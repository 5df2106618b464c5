import { useParams, useSearch } from '@tanstack/react-router'
import { useCaller } from '../../app/session.tsx'
import { GrantsForm } from './grants/grants-form.tsx'
import { IntegrationFrame } from './integration-frame.tsx'

/** Shows who may see the traffic of an integration without seeing anything else. */
export function AccessTab() {
  const { id } = useParams({ from: '/integrations/$id/access' })
  const search = useSearch({ from: '/integrations/$id/access' })
  const role = useCaller().data?.role
  return (
    <IntegrationFrame id={id} search={search}>
      {({ name }) => (
        <main className="page">
          {role === 'admin' && <GrantsForm id={id} name={name} />}
          {role !== undefined && role !== 'admin' && (
            <p className="notice">You need the admin role to see and change who may see an integration.</p>
          )}
        </main>
      )}
    </IntegrationFrame>
  )
}
