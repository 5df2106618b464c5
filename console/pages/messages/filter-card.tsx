import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { ApiFault, api, dataOf } from '../../app/api.ts'
import { type MessageOrder, type MessagesSearch, orderWords } from '../../app/search.ts'
import { Choice } from '../../parts/choice.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import type { MessageRow } from '../../parts/operators.ts'
import { askedRows, type MessageFilter, useIntegrations } from './message-query.ts'
import { RowEditor } from './row-editor.tsx'

const emptyRow: MessageRow = { attribute_key: '', operator: 'eq', value: '' }

const statuses = [
  ['any', 'any status'],
  ['error', 'with errors'],
  ['ok', 'without errors'],
] as const

interface FilterCardProps {
  readonly search: MessagesSearch
  readonly filter: MessageFilter & { readonly from: string; readonly to: string }
  readonly error: Error | null
  readonly onChange: (search: MessagesSearch, isTyping: boolean) => void
}

/** The conditions of the search, and the sentence that says what they ask. */
export function FilterCard({ search, filter, error, onChange }: FilterCardProps) {
  const { rows = [] } = search
  const faults = faultsByRow(error, askedRows(search))
  const setRows = (next: readonly MessageRow[], isTyping = false) => onChange({ ...search, rows: next }, isTyping)
  const hasNegative = rows.some(({ operator }) => operator === 'neq' || operator.startsWith('not_'))
  return (
    <section className="card filter" aria-label="Conditions">
      <ol>
        {rows.map((row, position) => (
          <RowEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its position
            key={position}
            row={row}
            position={position}
            window={filter}
            fault={faults.get(position)}
            onChange={(next, isTyping) => setRows(rows.with(position, next), isTyping)}
            onRemove={() => setRows(rows.toSpliced(position, 1))}
          />
        ))}
      </ol>
      {hasNegative && (
        <p className="soft hint">
          “Never” excludes whole messages. It has no step to start from, so it cannot include child spans.
        </p>
      )}
      <Choices search={search} onChange={(next) => onChange(next, false)} onAdd={() => setRows([...rows, emptyRow])} />
      <Sentence filter={filter} />
    </section>
  )
}

interface ChoicesProps {
  readonly search: MessagesSearch
  readonly onChange: (search: MessagesSearch) => void
  readonly onAdd: () => void
}

/** What applies to messages as a whole, and the order in which they are shown. */
function Choices({ search, onChange, onAdd }: ChoicesProps) {
  const { status, integration, order = 'newest' } = search
  const integrations = useIntegrations()
  const named = (integrations.data?.items ?? []).map(({ id, name }): [string, string] => [id, name])
  return (
    <div className="filter-actions">
      <Button className="button" onPress={onAdd}>
        <AddIcon /> Add condition
      </Button>
      <Choice
        label="Status of the message"
        value={status ?? 'any'}
        options={statuses}
        onChange={(value) => {
          const { status: _, ...rest } = search
          onChange(value === 'any' ? rest : { ...rest, status: value })
        }}
      />
      {named.length > 0 && (
        <Choice
          label="Integration"
          value={integration ?? 'any'}
          options={[['any', 'any integration'], ...named]}
          onChange={(value) => {
            const { integration: _, ...rest } = search
            onChange(value === 'any' ? rest : { ...rest, integration: value })
          }}
        />
      )}
      <Choice
        label="Order"
        value={order}
        options={Object.entries(orderWords).map(([id, words]): [MessageOrder, string] => [id as MessageOrder, words])}
        onChange={(value) => {
          const { order: _, ...rest } = search
          onChange(value === 'newest' ? rest : { ...rest, order: value })
        }}
      />
    </div>
  )
}

/** The server's own sentence about the filter. */
function Sentence({ filter }: { readonly filter: MessageFilter }) {
  const { data } = useQuery({
    queryKey: ['sentence', filter.rows, filter.status, filter.integration_id],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/messages/summary', { body: filter, signal })),
    placeholderData: (previous) => previous,
  })
  return (
    <div className="sentence" aria-live="polite">
      <span>{data?.summary ?? ' '}</span>
      {data !== undefined && <CopyButton text={data.summary} label="Copy the sentence" />}
    </div>
  )
}

/** Returns the messages of a problem by the position of the row that each one points at. */
function faultsByRow(error: Error | null, positions: readonly number[]): Map<number, string> {
  const faults = new Map<number, string>()
  for (const { pointer, message } of error instanceof ApiFault ? (error.problem.errors ?? []) : []) {
    const [, sent] = /^\/rows\/(\d+)/.exec(pointer) ?? []
    const position = positions[Number(sent)]
    if (position !== undefined) faults.set(position, message)
  }
  return faults
}
