import { Link } from '@tanstack/react-router'
import type { MessageSearch } from '../../app/search.ts'
import { Explanation } from '../../parts/explanation.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import type { AttributeUse } from './attribute-table.tsx'
import { filterOfMessage, hasFilter } from './message-data.ts'
import { MessageLogs } from './message-logs.tsx'
import { SpanPanel } from './span-panel.tsx'
import type { Tree } from './tree.ts'

type Side = 'step' | 'logs' | 'why'

interface SidePanelProps {
  readonly traceId: string
  readonly tree: Tree
  readonly selected: number
  readonly search: MessageSearch
  readonly onSide: (side: Side) => void
  readonly onStep: (spanId: string) => void
  readonly use: AttributeUse
}

/** The panel beside the waterfall: the selected step, the logs, or why the message matched. */
export function SidePanel({ traceId, tree, selected, search, onSide, onStep, use }: SidePanelProps) {
  const isMatched = tree.matched.length > 0
  const options: (readonly [Side, string])[] = [
    ['step', 'Step'],
    ['logs', 'Logs'],
    ...(hasFilter(search) ? [['why', isMatched ? 'Why it matched' : 'Why it did not match'] as const] : []),
  ]
  const side = options.find(([each]) => each === search.side)?.[0] ?? 'step'
  return (
    <div className="side">
      <Segments label="Beside the waterfall" value={side} options={options} onChange={onSide} />
      {side === 'step' && (
        <SpanPanel traceId={traceId} spanId={tree.spanIds[selected] ?? ''} search={search} use={use} />
      )}
      {side === 'logs' && (
        <MessageLogs
          traceId={traceId}
          nameOf={(spanId) => {
            const position = tree.spanIds.indexOf(spanId)
            return position < 0 ? undefined : tree.nameOf(position)
          }}
          onStep={onStep}
        />
      )}
      {side === 'why' && (
        <aside className="span-panel" aria-label="Why it matched">
          <Explanation
            traceId={traceId}
            filter={filterOfMessage(search)}
            stepLink={({ span_id }, children) => (
              <Link from="/messages/$id" search={{ ...search, span: span_id }} replace>
                {children}
              </Link>
            )}
          />
        </aside>
      )}
    </div>
  )
}
