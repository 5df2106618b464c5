import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Input, Label, Menu, MenuItem, MenuTrigger, Popover, TextField } from 'react-aria-components'
import { windowSearchOf } from '../../app/search.ts'
import { useIsRestricted, useMayWrite } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { useNewest } from '../../parts/answers/newest.ts'
import { saveFile } from '../../parts/export/download.ts'
import { ModalDialog } from '../../parts/forms/dialog.tsx'
import { DownIcon } from '../../parts/icons.tsx'
import type { WindowSearch } from '../../parts/time/time.ts'
import { working } from '../../parts/working.ts'
import { newRuleOn } from '../alerts/alerts-search.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { type Integration, toDraft } from './editor/draft.ts'
import { useKeepDraft } from './editor/use-draft.ts'
import { exportIntegration, useIntegrationChanges } from './integration-query.ts'

const nameMax = 200

const actionsOfViewers = [['export', 'Export as JSON']] as const
const actionsOfContributors = [
  ['alert', 'New alert rule…'],
  ['clone', 'Clone…'],
  ['delete', 'Delete…'],
] as const

interface IntegrationMenuProps {
  readonly integration: Integration
  readonly search: WindowSearch
  /** Whether the link to the messages is elsewhere, and space is scarce. */
  readonly isInList?: boolean
}

/** The actions of one integration: open its messages, alert on it, export, clone and delete it. */
export function IntegrationMenu({ integration, search, isInList = false }: IntegrationMenuProps) {
  const { id, name } = integration
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const mayExport = !useIsRestricted()
  const [dialog, setDialog] = useState<'clone' | 'delete'>()
  const [error, setError] = useState<Error>()
  const actions = [...(mayExport ? actionsOfViewers : []), ...(mayWrite ? actionsOfContributors : [])]
  const run = (action: string) => {
    if (action === 'clone' || action === 'delete') setDialog(action)
    else if (action === 'alert')
      void navigate({
        to: '/alerts/rules/$id',
        params: { id: 'new' },
        search: newRuleOn(id, windowSearchOf(search)),
      })
    else
      exportIntegration(id)
        .then((blob) => saveFile(blob, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.json`))
        .catch(setError)
  }
  return (
    <>
      {!isInList && (
        <Link className="button-link" to="/" search={{ ...windowSearchOf(search), integration: id }}>
          Messages
        </Link>
      )}
      {actions.length > 0 && <ActionMenu name={name} actions={actions} onAction={run} />}
      {error !== undefined && (
        <ModalDialog title="The export failed" onClose={() => setError(undefined)}>
          <Fault error={error} />
        </ModalDialog>
      )}
      {dialog === 'clone' && (
        <CloneDialog
          integration={integration}
          onClose={() => setDialog(undefined)}
          onCloned={(clone) =>
            void navigate({ to: '/integrations/$id', params: { id: clone.id }, search: windowSearchOf(search) })
          }
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          integration={integration}
          onClose={() => setDialog(undefined)}
          onDeleted={() => void navigate({ to: '/integrations', search: windowSearchOf(search), ignoreBlocker: true })}
        />
      )}
    </>
  )
}

interface ActionMenuProps {
  readonly name: string
  readonly actions: readonly (readonly [action: string, words: string])[]
  readonly onAction: (action: string) => void
}

function ActionMenu({ name, actions, onAction }: ActionMenuProps) {
  return (
    <MenuTrigger>
      <Button className="button" aria-label={`More about ${name}`}>
        More <DownIcon />
      </Button>
      <Popover className="popover">
        <Menu className="options" onAction={(key) => onAction(String(key))}>
          {actions.map(([action, words]) => (
            <MenuItem key={action} id={action} className="option">
              {words}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

interface CloneDialogProps {
  readonly integration: Integration
  readonly onClose: () => void
  readonly onCloned: (clone: Integration) => void
}

function CloneDialog({ integration, onClose, onCloned }: CloneDialogProps) {
  const { clone } = useIntegrationChanges()
  const [name, setName] = useState(`${integration.name} (copy)`.slice(0, nameMax))
  const newest = useNewest(name)
  const keep = useKeepDraft()
  return (
    <ModalDialog title={`Clone ${integration.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const onSuccess = (cloned: Integration) => {
            // A name that was typed while the clone was being created is kept, as a change of it.
            const draft = toDraft(cloned)
            const base = { draft, version: cloned.version }
            if (newest() !== name) keep(cloned.id, { draft: { ...draft, name: newest() }, base })
            onClose()
            onCloned(cloned)
          }
          clone.mutate({ id: integration.id, name }, { onSuccess })
        }}
      >
        <p>The clone has the same rules, and nobody is granted access to it.</p>
        <TextField value={name} onChange={setName} autoFocus>
          <Label>Name of the clone</Label>
          <Input className="field" maxLength={nameMax} />
        </TextField>
        {clone.error !== null && <Fault error={clone.error} />}
        <div className="dialog-actions">
          <Button className="button" onPress={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            className="button primary"
            isDisabled={name.trim() === ''}
            {...working(clone.isPending)}
          >
            Clone
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
