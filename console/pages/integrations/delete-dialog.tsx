import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { statusOf } from '../../app/api.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { ModalDialog } from '../../parts/forms/dialog.tsx'
import { working } from '../../parts/working.ts'
import type { Integration } from './editor/draft.ts'
import { useIntegration, useIntegrationChanges, useReferences } from './integration-query.ts'

interface DeleteDialogProps {
  readonly integration: Integration
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks for confirmation before an integration is deleted, and lists the records that refer to it. */
export function DeleteDialog({ integration, onClose, onDeleted }: DeleteDialogProps) {
  const { remove } = useIntegrationChanges()
  const client = useQueryClient()
  const current = useIntegration(integration.id)
  /**
   * Reads the current version for both places from which the dialog can be opened: the page of the integration and the
   * list.
   */
  const look = async () => {
    await Promise.all([current.refetch(), client.invalidateQueries({ queryKey: ['integrations'] })])
    onClose()
  }
  const isConflict = statusOf(remove.error ?? new Error()) === 412
  return (
    <ModalDialog title={`Delete ${integration.name}?`} onClose={onClose}>
      <References id={integration.id} />
      {remove.error !== null && !isConflict && <Fault error={remove.error} />}
      {isConflict && (
        <div className="notice fault" role="alert">
          This integration was changed meanwhile, by another person or in another tab. Nothing was deleted.
          <Button className="button" onPress={() => void look()}>
            Look at their version
          </Button>
        </div>
      )}
      <div className="dialog-actions">
        <Button className="button" autoFocus onPress={onClose}>
          Keep it
        </Button>
        <Button
          className="button danger"
          isDisabled={isConflict}
          onPress={() => {
            const onSuccess = () => {
              onClose()
              onDeleted()
            }
            remove.mutate(integration, { onSuccess })
          }}
          {...working(remove.isPending)}
        >
          Delete the integration
        </Button>
      </div>
    </ModalDialog>
  )
}

function References({ id }: { readonly id: string }) {
  const references = useReferences(id)
  if (references.error !== null) return <Fault error={references.error} retry={() => void references.refetch()} />
  if (references.data === undefined) return <Waiting className="totals-waiting" words="Looking for references" />
  const { alertRules, views, isWhole } = references.data
  return (
    <>
      <p>Its grants are deleted with it. Telemetry stays.</p>
      {alertRules.length > 0 && (
        <p className="failed-text">
          {alertRules.length === 1 ? 'An alert rule uses it' : 'Alert rules use it'}: {alertRules.join(', ')}. It cannot
          be deleted before {alertRules.length === 1 ? 'the rule is' : 'they are'} changed.
        </p>
      )}
      {views.length > 0 && (
        <p>
          {views.length === 1 ? 'A saved view searches it' : 'Saved views search it'}: {views.join(', ')}.{' '}
          {views.length === 1 ? 'It' : 'They'} will find nothing.
        </p>
      )}
      {!isWhole && <p className="soft">There may be more: only the newest records were looked at.</p>}
    </>
  )
}
