import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useKeys } from '../../app/keys.tsx'
import { type Column, listSearchOf, type MessageSearch } from '../../app/search.ts'
import { TopBar } from '../../app/top-bar.tsx'
import { announce } from '../../parts/announce.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { counted } from '../../parts/counted.ts'
import { columnsMax } from '../messages/column-choice.tsx'
import type { AttributeUse } from './attribute-table.tsx'
import { hasFilter, useDetached, useFound, useTree } from './message-data.ts'
import { MessageHeader } from './message-header.tsx'
import { Minimap, TimeAxis } from './minimap.tsx'
import { NamesEdge, useNamesWidth } from './names-width.tsx'
import { SaveMenu } from './save-menu.tsx'
import { SidePanel } from './side-panel.tsx'
import { ancestorsOf, criticalPath, shownPositions, spansBelow, type Tree } from './tree.ts'
import { Waterfall, type Zoom } from './waterfall.tsx'

const tracePattern = /^[0-9a-f]{32}$/

/** Shows one message: its steps over time, and everything about the selected one. */
export function MessagePage() {
  const { id } = useParams({ from: '/messages/$id' })
  const search = useSearch({ from: '/messages/$id' })
  const traceId = id.trim().toLowerCase()
  const isTraceId = tracePattern.test(traceId)
  const { tree, error, refetch } = useTree(isTraceId ? traceId : undefined, search)
  return (
    <>
      <TopBar
        above={
          <Link to="/" search={listSearchOf(search)}>
            Messages
          </Link>
        }
        title={<span className="mono trace-id">{id}</span>}
      >
        {isTraceId && (
          <>
            <CopyButton text={traceId} label="Copy the trace id" written="trace id" />
            <SaveMenu traceId={traceId} startedAt={tree?.startedAt} />
          </>
        )}
      </TopBar>
      <main className="page message-page">
        {!isTraceId && <NoTraceId id={id} />}
        {error !== null && <Fault error={error} retry={() => void refetch()} />}
        {isTraceId && error === null && tree === undefined && (
          <Waiting className="message-waiting" words="Loading the message" />
        )}
        {tree !== undefined && search.span !== undefined && !tree.spanIds.includes(search.span) && (
          <div className="notice" role="status">
            <p>
              This message has no step <code>{search.span}</code>, or the step has not arrived yet. Another one is
              selected.
            </p>
          </div>
        )}
        {tree !== undefined && <Message key={traceId} traceId={traceId} tree={tree} search={search} />}
      </main>
    </>
  )
}

/** Replaces the message if the address contains no trace id. */
function NoTraceId({ id }: { readonly id: string }) {
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>This address names no message</strong>
        <p>
          <q className="mono">{id}</q> has {counted(id.length, 'character')}. A trace id has 32 hexadecimal digits. Was
          it copied completely?
        </p>
      </div>
    </div>
  )
}

interface MessageProps {
  readonly traceId: string
  readonly tree: Tree
  readonly search: MessageSearch
}

function Message({ traceId, tree, search }: MessageProps) {
  const navigate = useNavigate({ from: '/messages/$id' })
  const [find, setFind] = useState('')
  const found = useFound(traceId, tree, find)
  const { matched, marked, kind } = useMarked(tree, hasFilter(search), found.positions)
  const detached = useDetached(traceId, tree)
  const selected = selectedPosition(tree, search.span)
  const view = useView(tree)
  const names = useNamesWidth()
  const select = (position: number) => {
    view.reveal(position)
    navigate({ search: { ...search, span: tree.spanIds[position] ?? '' }, replace: true })
  }
  const showSide = (side: 'step' | 'logs' | 'why', span = search.span) => {
    const { side: _, ...rest } = search
    navigate({ search: { ...rest, ...(side === 'step' ? {} : { side }), ...(span === undefined ? {} : { span }) } })
  }
  const step = (direction: 1 | -1) => {
    const next = nextMarked(tree, marked, selected, direction)
    if (next !== undefined) select(next)
    announceStep(tree, next)
  }
  useKeys({ n: () => step(1), p: () => step(-1) })
  const use = useAttributes(search)
  return (
    <>
      <MessageHeader
        tree={tree}
        marked={marked}
        detached={detached}
        kind={kind}
        found={found}
        selected={selected}
        find={find}
        isFocused={view.focus !== undefined}
        onSelect={select}
        onFind={setFind}
        onStep={step}
        level={view.collapsed.size === 0 ? 'all' : String(view.level ?? 'some')}
        onLevel={view.showLevels}
        onFocus={() => view.setFocus(view.focus === undefined ? selected : undefined)}
      />
      <div className={`message-body${selected === undefined ? '' : ' with-panel'}`}>
        <div className="card message-chart" ref={names.chart} style={names.style}>
          <Minimap tree={tree} matched={matched} zoom={view.zoom} onZoom={view.setZoom} />
          <TimeAxis zoom={view.zoom} />
          <Waterfall {...view} {...{ tree, matched, detached, selected }} found={found.positions} onSelect={select} />
          <NamesEdge {...names} />
        </div>
        {selected !== undefined && (
          <SidePanel
            {...{ traceId, tree, selected, search, use }}
            onSide={showSide}
            onStep={(spanId) => showSide('step', spanId)}
          />
        )}
      </div>
    </>
  )
}

/** Announces the step that was selected by a key. While the tree has the focus, it does so itself. */
function announceStep(tree: Tree, position: number | undefined): void {
  if (position === undefined || document.activeElement?.role === 'tree') return
  announce(`${tree.serviceOf(position)}: ${tree.nameOf(position)}`)
}

/** Returns the steps that the keys visit: the found ones during a search, otherwise the matched ones. */
function useMarked(tree: Tree, isFiltered: boolean, found: ReadonlySet<number> | undefined) {
  const matched = useMemo(() => new Set(tree.matched), [tree])
  // If every step matches, their colour would only hide the failed ones.
  const drawn = useMemo(() => (matched.size < tree.size ? matched : new Set<number>()), [matched, tree])
  // Without a filter every step matches, as in the list, and the keys visit all of them.
  const walked = useMemo(() => (isFiltered ? matched : new Set(tree.spanIds.keys())), [isFiltered, matched, tree])
  const kind = found !== undefined ? 'found step' : isFiltered ? 'matched step' : 'step'
  return { matched: drawn, marked: found ?? walked, kind } as const
}

/** Returns the actions of attributes, which lead to the list with its filter. */
function useAttributes(search: MessageSearch): AttributeUse {
  const navigate = useNavigate({ from: '/messages/$id' })
  const { rows = [], columns = [] } = search
  const addColumn = (column: Column) => {
    const isShown = ({ attribute_key, attribute_source }: Column) =>
      attribute_key === column.attribute_key && attribute_source === column.attribute_source
    const others = columns.filter((each) => !isShown(each))
    void navigate({ to: '/', search: { ...listSearchOf(search), columns: [...others, column] } })
  }
  return {
    onFilter: (row) => void navigate({ to: '/', search: { ...listSearchOf(search), rows: [...rows, row] } }),
    onColumn: columns.length < columnsMax ? addColumn : undefined,
  }
}

/** Returns which steps of the message are shown, and which part of its time. */
function useView(tree: Tree) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [level, setLevel] = useState<number>()
  const [focus, setFocus] = useState<number>()
  const [zoom, setZoom] = useState<Zoom>({ fromNs: 0, toNs: tree.totalNs })
  const [known, setKnown] = useState(tree)
  if (known !== tree) {
    // More steps have arrived, so collapsed steps are at other positions and the duration may have grown.
    setKnown(tree)
    setCollapsed(new Set())
    setLevel(undefined)
    setFocus(undefined)
    setZoom({ fromNs: 0, toNs: tree.totalNs })
  }
  const critical = useMemo(() => criticalPath(tree), [tree])
  const shown = useMemo(() => shownPositions(tree, collapsed, focus), [tree, collapsed, focus])
  return {
    collapsed,
    focus,
    setFocus,
    zoom,
    setZoom,
    critical,
    shown,
    /** The chosen number of levels; undefined after steps were collapsed or expanded one by one. */
    level,
    showLevels(count: number | undefined) {
      setLevel(count)
      setCollapsed(count === undefined ? new Set() : spansBelow(tree, count - 1))
    },
    onToggle(position: number) {
      setLevel(undefined)
      const next = new Set(collapsed)
      if (!next.delete(position)) next.add(position)
      setCollapsed(next)
    },
    /**
     * Makes a step visible: expands its ancestors, and shows the whole tree if the focused subtree does not contain it.
     */
    reveal(position: number) {
      const above = ancestorsOf(tree, position).filter((each) => collapsed.has(each))
      if (above.length > 0) {
        setLevel(undefined)
        setCollapsed(new Set([...collapsed].filter((each) => !above.includes(each))))
      }
      if (focus !== undefined && !isWithin(tree, focus, position)) setFocus(undefined)
    },
  }
}

/** Returns the next marked step in a direction. After the last one comes the first. */
function nextMarked(tree: Tree, marked: ReadonlySet<number>, selected: number | undefined, direction: 1 | -1) {
  const positions = [...marked].toSorted((a, b) => a - b)
  if (direction === 1) return positions.find((each) => each > (selected ?? -1)) ?? positions[0]
  return positions.findLast((each) => each < (selected ?? tree.size)) ?? positions.at(-1)
}

/** Returns the step that is selected at first: the one of the address, else the first matched step, else the first. */
function selectedPosition(tree: Tree, spanId: string | undefined): number | undefined {
  const position = spanId === undefined ? -1 : tree.spanIds.indexOf(spanId)
  return position >= 0 ? position : (tree.matched[0] ?? 0)
}

function isWithin(tree: Tree, focus: number, position: number): boolean {
  return position >= focus && position < (tree.ends[focus] ?? 0)
}
