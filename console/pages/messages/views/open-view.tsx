import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { isUnknownRecord, statusOf } from '../../../app/api.ts'
import type { MessagesSearch } from '../../../app/search.ts'
import { isSignedOut, useMayWrite } from '../../../app/session.tsx'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Conflict, useTheirs } from '../../../parts/records/conflict.tsx'
import { DeleteButton } from '../../../parts/records/delete-button.tsx'
import { showStored } from '../../../parts/records/stored.ts'
import { without } from '../../../parts/without.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { NameForm } from './view-name-form.tsx'
import { readView, useView, useViewChanges, type ViewChanges } from './view-query.ts'
import { isViewEdited, type SavedView, searchOfView } from './view-search.ts'

/** What the form names: a new view, or the open one. */
type Naming = 'new' | 'rename'

interface OpenViewProps {
  readonly search: MessagesSearch
  readonly onChange: (search: MessagesSearch) => void
}

/** Shows the view that was opened and whether the search has been edited since, with the actions for both. */
export function OpenView({ search, onChange }: OpenViewProps) {
  const { data: view, error, refetch } = useView(search.view)
  const changes = useViewChanges()
  const mayWrite = useMayWrite()
  const [naming, setNaming] = useState<Naming>()
  // After the form is closed, the focus returns to the button that opened it. For a new view that is the only button
  // left.
  const [closed, setClosed] = useState<Naming>()
  const closeForm = (next: Naming | undefined) => {
    setClosed(next)
    setNaming(undefined)
    changes.create.reset()
  }
  useEndOfView(search.view, changes, () => naming === 'rename' && closeForm(undefined))
  const shown = useShown(search)
  const close = () => shown.current !== undefined && onChange(without(shown.current, 'view'))
  if (search.view !== undefined && error !== null) {
    return <UnreadView error={error} onRetry={() => void refetch()} onClose={close} />
  }
  const save = async (name: string, isUnchanged: () => boolean) => {
    const saved =
      naming === 'rename' && view !== undefined
        ? await changes.update.mutateAsync({ view, name })
        : await changes.create.mutateAsync({ name, search })
    // A name that is typed while the view is being saved is kept, as another change.
    if (isUnchanged()) closeForm('rename')
    else setNaming('rename')
    // Members that a view does not store, such as the breakdown, are kept.
    if (naming === 'new' && shown.current !== undefined) onChange({ ...shown.current, view: saved.id })
  }
  const show = (stored: SavedView) => {
    closeForm(naming)
    onChange(searchOfView(stored))
  }
  const failed = [changes.create, changes.update, changes.remove].find((each) => each.error !== null)
  return (
    <div className="view-bar">
      {naming === undefined ? (
        <ViewActions
          {...{ search, view, changes, mayWrite, onChange, close, closed }}
          onName={setNaming}
          onFocus={() => setClosed(undefined)}
        />
      ) : (
        <NameForm
          name={naming === 'rename' ? (view?.name ?? '') : ''}
          isPending={changes.create.isPending || changes.update.isPending}
          onCancel={() => closeForm(naming)}
          // A fault is shown below the form, which stays open.
          onName={(name, isUnchanged) => save(name, isUnchanged).catch(() => {})}
        />
      )}
      {failed?.error != null && <ViewFault error={failed.error} onChosen={show} {...{ view, search, changes }} />}
    </div>
  )
}

/**
 * Returns the current search. It may change while a view is being saved. Returns undefined after the page has changed.
 */
function useShown(search: MessagesSearch) {
  const shown = useRef<MessagesSearch>(undefined)
  useEffect(() => {
    shown.current = search
    return () => {
      shown.current = undefined
    }
  }, [search])
  return shown
}

/** Resets the errors and the form of the previous view when another one is opened. */
function useEndOfView(id: string | undefined, { create, update, remove }: ViewChanges, closeForm: () => void): void {
  const open = useRef(id)
  useEffect(() => {
    if (open.current === id) return
    update.reset()
    remove.reset()
    // The form of a view that was just created keeps a name that was typed meanwhile.
    if (open.current !== undefined && id !== create.data?.id) closeForm()
    open.current = id
  })
}

interface UnreadViewProps {
  readonly error: Error
  readonly onRetry: () => void
  readonly onClose: () => void
}

/** Explains why the view of the address cannot be shown. The search works without it. */
function UnreadView({ error, onRetry, onClose }: UnreadViewProps) {
  const isGone = isUnknownRecord(error)
  return (
    <div className="view-bar">
      {isGone && <span>The view in this address does not exist, or was deleted. Its search is still shown.</span>}
      {!isGone && !isSignedOut(error) && <Fault error={error} retry={onRetry} />}
      <Button className="button" onPress={onClose}>
        Continue without it
      </Button>
    </div>
  )
}

interface ViewActionsProps extends OpenViewProps {
  readonly view: SavedView | undefined
  readonly changes: ViewChanges
  readonly mayWrite: boolean
  readonly close: () => void
  /** The button that has the focus when it is shown. */
  readonly closed: Naming | undefined
  readonly onName: (naming: Naming) => void
  readonly onFocus: () => void
}

function ViewActions(props: ViewActionsProps) {
  const { search, view, changes, mayWrite, onChange, close, closed, onName, onFocus } = props
  const nameNew = { autoFocus: closed === 'new', onFocus, onPress: () => onName('new') }
  if (view === undefined || search.view === undefined) {
    return mayWrite ? (
      <Button className="button" {...nameNew}>
        Save as view
      </Button>
    ) : null
  }
  const edited = isViewEdited(view, search)
  return (
    <>
      <span className="view-name">
        View <strong title={view.name}>{view.name}</strong> {edited && <em className="edited">edited</em>}
      </span>
      {edited && (
        <Button className="button" onPress={() => onChange(searchOfView(view))}>
          Discard
        </Button>
      )}
      {mayWrite && edited && (
        <Button className="button primary" onPress={() => changes.update.mutate({ view, search })}>
          Save changes
        </Button>
      )}
      {mayWrite && edited && (
        <Button className="button" {...nameNew}>
          Save as new
        </Button>
      )}
      {mayWrite && !edited && (
        <>
          <Button
            className="button bare"
            autoFocus={closed === 'rename'}
            onFocus={onFocus}
            onPress={() => onName('rename')}
          >
            Rename
          </Button>
          <DeleteButton
            key={view.id}
            noun="the view"
            question="Delete it for everybody?"
            isPending={changes.remove.isPending}
            onDelete={() => changes.remove.mutate(view, { onSuccess: close })}
          />
        </>
      )}
      <Button className="button bare" onPress={close}>
        Close view
      </Button>
      {!mayWrite && <span className="soft">You need the contributor role to change views.</span>}
    </>
  )
}

interface ViewFaultProps {
  readonly error: Error
  readonly view: SavedView | undefined
  readonly search: MessagesSearch
  readonly changes: ViewChanges
  /** Called when the person has chosen one of two versions. */
  readonly onChosen: (stored: SavedView) => void
}

/** Shows a refused change. If the view has another version by now, the person chooses which one to keep. */
function ViewFault({ error, view, search, changes: { update, remove }, onChosen }: ViewFaultProps) {
  const client = useQueryClient()
  const isConflict = statusOf(error) === 412
  const readTheirs = (signal: AbortSignal) => readView(view?.id ?? '', signal)
  const theirs = useTheirs(['view', view?.id], isConflict, readTheirs)
  if (!isConflict || view === undefined) return <Fault error={error} />
  if (update.error === null || update.variables === undefined) {
    const again = () => {
      remove.reset()
      void client.invalidateQueries({ queryKey: ['view', view.id] })
    }
    return <ChangedMeanwhile onAgain={again} />
  }
  const { name } = update.variables
  const take = (stored: SavedView) => {
    showStored(client, ['view', stored.id], stored)
    update.reset()
    onChosen(stored)
  }
  return (
    <Conflict
      noun="view"
      theirs={theirs}
      show={(stored) => <ViewVersion name={stored.name} summary={stored.summary} />}
      // Only what this person has changed replaces the other version: the name, or the search.
      mine={name === undefined ? <p>The search of this page.</p> : <ViewVersion name={name} />}
      onTheirs={take}
      onMine={(over) =>
        name === undefined
          ? update.mutate({ view: over, search })
          : update.mutate({ view: over, name }, { onSuccess: onChosen })
      }
    />
  )
}

function ViewVersion({ name, summary }: { readonly name: string; readonly summary?: string }) {
  return (
    <>
      <p>
        <strong>{name}</strong>
      </p>
      {summary !== undefined && <p>{summary}</p>}
    </>
  )
}
