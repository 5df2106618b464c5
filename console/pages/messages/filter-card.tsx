import { Button } from 'react-aria-components'
import { relationsMax } from '../../../sql/limits.ts'
import { TracefoldProblem } from '../../app/api.ts'
import { useKeys } from '../../app/keys.tsx'
import { type MessageOrder, type MessagesSearch, orderWords, type Relation } from '../../app/search.ts'
import { ChildSpansHint } from '../../parts/conditions/child-spans-hint.tsx'
import { completePositions, type MessageRow } from '../../parts/conditions/operators.ts'
import { emptyRelation, RelationEditor } from '../../parts/conditions/relation-editor.tsx'
import { RowEditor } from '../../parts/conditions/row-editor.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { IntegrationChoice } from '../../parts/forms/integration-choice.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { completeRelations, type MessageFilter } from './message-query.ts'
import { Sentence } from './sentence.tsx'

const emptyRow = { operator: 'eq' } as MessageRow

export const statuses = [
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

/** Edits the conditions of the search, and shows the sentence that describes them. */
export function FilterCard({ search, filter, error, onChange }: FilterCardProps) {
  const { rows = [], relations = [] } = search
  const faults = faultsByPlace(error, search)
  const setRows = (next: readonly MessageRow[], isTyping = false) => onChange({ ...search, rows: next }, isTyping)
  const setRelations = (next: readonly Relation[], isTyping = false) =>
    onChange({ ...search, relations: next }, isTyping)
  useKeys(rows.length === 0 ? { '/': () => setRows([emptyRow]) } : {})
  return (
    <section className="card filter" aria-label="Conditions" data-first-field>
      <ol>
        {rows.map((row, position) => (
          <RowEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its position
            key={position}
            row={row}
            name={`Condition ${position + 1}`}
            window={filter}
            fault={faults.get(`rows/${position}`)}
            onChange={(next, isTyping) => setRows(rows.with(position, next), isTyping)}
            onRemove={() => setRows(rows.toSpliced(position, 1))}
          />
        ))}
      </ol>
      <ChildSpansHint rows={rows} />
      {relations.length > 0 && (
        <ol className="relations">
          {relations.map((relation, position) => (
            <RelationEditor
              // biome-ignore lint/suspicious/noArrayIndexKey: a relation has no other identity than its position
              key={position}
              relation={relation}
              position={position}
              window={filter}
              faults={faultsOfRelation(faults, position)}
              onChange={(next, isTyping) => setRelations(relations.with(position, next), isTyping)}
              onRemove={() => setRelations(relations.toSpliced(position, 1))}
            />
          ))}
        </ol>
      )}
      <Choices
        search={search}
        onChange={(next) => onChange(next, false)}
        onAdd={() => setRows([...rows, emptyRow])}
        onAddRelation={() => setRelations([...relations, emptyRelation])}
      />
      <Sentence search={search} filter={filter} onChange={(next) => onChange(next, false)} />
    </section>
  )
}

interface ChoicesProps {
  readonly search: MessagesSearch
  readonly onChange: (search: MessagesSearch) => void
  readonly onAdd: () => void
  readonly onAddRelation: () => void
}

/** The choices for whole messages, and the order of the list. */
function Choices({ search, onChange, onAdd, onAddRelation }: ChoicesProps) {
  const { status, integration, order = 'newest' } = search
  return (
    <div className="filter-actions">
      <Button className="button" onPress={onAdd}>
        <AddIcon /> Add condition
      </Button>
      <Button className="button" isDisabled={(search.relations?.length ?? 0) >= relationsMax} onPress={onAddRelation}>
        <AddIcon /> Add relation
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
      <IntegrationChoice
        value={integration ?? ''}
        none="any integration"
        onChange={(value) => {
          const { integration: _, ...rest } = search
          onChange(value === '' ? rest : { ...rest, integration: value })
        }}
      />
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

/** Returns the messages of a problem by the parts of the address that they are about: `rows/1`, `relations/0/to/2`. */
function faultsByPlace(error: Error | null, search: MessagesSearch): Map<string, string> {
  const faults = new Map<string, string>()
  const [rows, relations] = [completePositions(search.rows), completeRelations(search)]
  for (const { pointer, message } of error instanceof TracefoldProblem ? error.errors : []) {
    const [, list, sent, side, at] = /^\/(rows|relations)\/(\d+)(?:\/(from|to)\/(\d+))?/.exec(pointer) ?? []
    const relation = relations[Number(sent)]
    if (list === 'rows') faults.set(`rows/${rows[Number(sent)]}`, message)
    else if (relation !== undefined && (side === 'from' || side === 'to'))
      faults.set(`relations/${relation.position}/${side}/${relation[side][Number(at)]}`, message)
    else if (relation !== undefined) faults.set(`relations/${relation.position}`, message)
  }
  return faults
}

/** Returns the faults of one relation by their positions within it. */
function faultsOfRelation(faults: ReadonlyMap<string, string>, position: number): Map<string, string> {
  const prefix = `relations/${position}`
  return new Map(
    [...faults].flatMap(([place, message]) =>
      place === prefix || place.startsWith(`${prefix}/`) ? [[place.slice(prefix.length + 1), message]] : [],
    ),
  )
}
