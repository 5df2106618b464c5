import { useEffect, useState } from 'react'
import { Button, Dialog, DialogTrigger, Input, Popover, SearchField } from 'react-aria-components'
import type { MessagesSearch } from '../../../app/search.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../../parts/answers/show-more.tsx'
import { DownIcon } from '../../../parts/icons.tsx'
import { useNoViews } from './no-views.ts'
import { useViews } from './view-query.ts'
import { type SavedView, searchOfView } from './view-search.ts'

interface ViewMenuProps {
  readonly onOpen: (search: MessagesSearch) => void
}

/** A menu of the saved views of the organization. */
export function ViewMenu({ onOpen }: ViewMenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="button">
        Views <DownIcon />
      </Button>
      <Popover className="popover">
        <Dialog className="view-menu" aria-label="Saved views">
          <ViewList
            onOpen={(view) => {
              setOpen(false)
              onOpen(searchOfView(view))
            }}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function ViewList({ onOpen }: { readonly onOpen: (view: SavedView) => void }) {
  const views = useViews(true)
  const noViews = useNoViews()
  const [text, setText] = useState('')
  const all = views.data?.pages.flatMap(({ items }) => items) ?? []
  const shown = all.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(text.toLowerCase()))
  const error = faultOf(views)
  const { hasNextPage, isFetching, isError, fetchNextPage } = views
  const isElsewhere = shown.length === 0 && hasNextPage
  // If no view that was read matches, the match may be on a later page; there are only a few.
  useEffect(() => {
    if (isElsewhere && !isFetching && !isError) void fetchNextPage()
  }, [isElsewhere, isFetching, isError, fetchNextPage])
  const fault = error !== null && <Fault error={error} retry={() => void views.refetch()} />
  if (views.data === undefined && fault) return fault
  if (views.isPending) return <Waiting className="view-waiting" words="Loading the views" />
  if (all.length === 0) return <p className="soft">{noViews}</p>
  return (
    <>
      <SearchField aria-label="Find a view" value={text} onChange={setText} autoFocus>
        <Input className="field" placeholder="Find a view" />
      </SearchField>
      <ul className="view-list">
        {shown.map((view) => (
          <li key={view.id}>
            <Button className="view-item" onPress={() => onOpen(view)}>
              <strong>{view.name}</strong>
              {view.flags.includes('integration_deleted') && (
                <span className="failed-text">Its integration was deleted.</span>
              )}
              <small title={view.summary}>{view.summary}</small>
            </Button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="soft">{isElsewhere ? 'No view that was read so far has this name.' : 'No view has this name.'}</p>
      )}
      {fault}
      <ShowMore list={views} words="More views" />
    </>
  )
}
