import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { statusOf } from '../../app/api.ts'
import { isSignedOut, useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { useShownRecords } from '../../parts/answers/shown.tsx'
import { countedOf } from '../../parts/counted.ts'
import { FindField } from '../../parts/forms/find-field.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { DeleteButton } from '../../parts/records/delete-button.tsx'
import { ChangedMeanwhile } from '../messages/views/changed-meanwhile.tsx'
import { useNoViews } from '../messages/views/no-views.ts'
import { NameForm } from '../messages/views/view-name-form.tsx'
import { useViewChanges, useViews, type ViewChanges } from '../messages/views/view-query.ts'
import { type SavedView, searchOfView } from '../messages/views/view-search.ts'

/** The number of views that are shown at first. Rendering hundreds of them on every keystroke would delay typing. */
const shownStep = 50

/** Lists the saved views with the search of each. */
export function ViewsPage() {
  const { find = '' } = useSearch({ from: '/views' })
  const navigate = useNavigate({ from: '/views' })
  const views = useViews(true)
  const changes = useViewChanges()
  const mayWrite = useMayWrite()
  const noViews = useNoViews()
  const { hasNextPage, isFetching, isError, fetchNextPage } = views
  // The match may be on any page, and there are only a few.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const all = views.data?.pages.flatMap(({ items }) => items) ?? []
  const refetch = () => void views.refetch()
  const found = all.filter(({ name, summary }) => `${name}\n${summary}`.toLowerCase().includes(find.toLowerCase()))
  const { shown, more } = useShownRecords(found, shownStep)
  return (
    <>
      <TopBar title="Views" onRefresh={refetch} />
      <main className="page">
        <FindField
          className="list-search"
          label="Find a view"
          placeholder="Find by name or conditions"
          value={find}
          onChange={(text) => navigate({ search: text === '' ? {} : { find: text }, replace: true })}
        />
        {!mayWrite && <p className="soft">You need the contributor role to change views.</p>}
        {views.error !== null && !isSignedOut(views.error) && <Fault error={views.error} retry={refetch} />}
        {views.isPending && <Waiting className="list-waiting" words="Loading the views" />}
        {views.isSuccess && all.length === 0 && (
          <p className="notice">
            {noViews}
            <Link to="/">Go to the messages</Link>
          </p>
        )}
        <ul className="views">
          {shown.map((view) => (
            <ViewCard key={view.id} view={view} changes={changes} mayWrite={mayWrite} refetch={refetch} />
          ))}
        </ul>
        {more}
        {all.length > 0 && (
          <p className="soft" role="status">
            {countedOf(found.length, all.length, 'view')}
          </p>
        )}
      </main>
    </>
  )
}

interface ViewCardProps {
  readonly view: SavedView
  readonly changes: ViewChanges
  readonly mayWrite: boolean
  /** Reads all views again. */
  readonly refetch: () => void
}

function ViewCard({ view, changes, mayWrite, refetch }: ViewCardProps) {
  const [isNaming, setNaming] = useState(false)
  // After the form is closed, the focus returns to the button that opened it.
  const [hasNamed, setNamed] = useState(false)
  const rename = () => {
    setNaming(true)
    setNamed(true)
  }
  const failed = [changes.update, changes.remove].find(
    ({ error, variables }) => error !== null && viewOf(variables)?.id === view.id,
  )
  const isConflict = statusOf(failed?.error ?? new Error()) === 412
  const isPending = changes.update.isPending || changes.remove.isPending
  const again = () => {
    changes.update.reset()
    changes.remove.reset()
    refetch()
  }
  return (
    <li className="card view-card" aria-label={view.name}>
      {isNaming ? (
        <NameForm
          name={view.name}
          isPending={isPending}
          onCancel={() => setNaming(false)}
          // A name that is typed while another is being saved is kept, as the next change.
          onName={(name, isUnchanged) =>
            changes.update.mutate({ view, name }, { onSuccess: () => isUnchanged() && setNaming(false) })
          }
        />
      ) : (
        <div className="view-line">
          <Link to="/" search={searchOfView(view)} className="integration-link">
            {view.name}
          </Link>
          {view.flags.includes('integration_deleted') && (
            <span className="failed-text">Its integration was deleted.</span>
          )}
          {mayWrite && (
            <span className="view-actions">
              <Button className="button bare" aria-label={`Rename ${view.name}`} autoFocus={hasNamed} onPress={rename}>
                Rename
              </Button>
              <DeleteButton
                noun={view.name}
                question="Delete it for everybody?"
                isPending={isPending}
                onDelete={() => changes.remove.mutate(view)}
              />
            </span>
          )}
        </div>
      )}
      <ViewWords view={view} />
      {failed?.error != null && !isConflict && <Fault error={failed.error} />}
      {isConflict && <ChangedMeanwhile onAgain={again} />}
    </li>
  )
}

function ViewWords({ view: { summary, description } }: Pick<ViewCardProps, 'view'>) {
  return (
    <>
      <p className="soft">
        <LongText text={summary} />
      </p>
      {description !== '' && (
        <p>
          <LongText text={description} />
        </p>
      )}
    </>
  )
}

function viewOf(variables: SavedView | { readonly view: SavedView } | undefined): SavedView | undefined {
  return variables !== undefined && 'view' in variables ? variables.view : variables
}
