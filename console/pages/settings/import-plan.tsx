import { Button } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { counted } from '../../parts/counted.ts'
import { working } from '../../parts/working.ts'

type Result = components['schemas']['ConfigImportResult']

const sections: readonly (readonly [keyof Result, string])[] = [
  ['integrations', 'Integrations'],
  ['saved_views', 'Views'],
  ['facets', 'Facets'],
  ['facet_overrides', 'Facet overrides'],
  ['facet_mappings', 'Classification rules'],
  ['channels', 'Channels'],
  ['alert_rules', 'Alert rules'],
]

const actions = ['created', 'updated', 'deleted'] as const

interface ImportPlanProps {
  readonly result: Result
  /** Whether the changes have been made. */
  readonly isDone?: boolean
  readonly isPending?: boolean
  readonly onApply?: () => void
}

/** Lists the records that an import would change, or has changed, by name. */
export function ImportPlan({ result, isDone = false, isPending = false, onApply }: ImportPlanProps) {
  const total = (action: (typeof actions)[number]) =>
    sections.reduce((sum, [section]) => sum + result[section][action], 0)
  const [created, updated, deleted] = actions.map(total) as [number, number, number]
  const isNothing = created + updated + deleted === 0
  const notes = sections.flatMap(([section]) => result[section].notes ?? [])
  return (
    <div className="import-plan" role="status">
      <h3>{titleOf(isDone, isNothing)}</h3>
      {!isNothing && (
        <table className="messages settings-table">
          <thead>
            <tr>
              <th scope="col">Records</th>
              {actions.map((action) => (
                <th key={action} scope="col">
                  {action}
                </th>
              ))}
              <th scope="col" className="number">
                unchanged
              </th>
            </tr>
          </thead>
          <tbody>
            {sections.map(([section, title]) => (
              <tr key={section}>
                <th scope="row">{title}</th>
                {actions.map((action) => (
                  <td key={action} className={action === 'deleted' ? 'plan-names failed-text' : 'plan-names'}>
                    <Names changes={result[section].changes} action={action} />
                  </td>
                ))}
                <td className="number">{result[section].unchanged.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notes.map((note) => (
        <p key={note} className="notice">
          {note}
        </p>
      ))}
      {onApply !== undefined && !isNothing && (
        <Button className={`button ${deleted > 0 ? 'danger' : 'primary'}`} onPress={onApply} {...working(isPending)}>
          {deleted > 0 ? `Import, and delete ${counted(deleted, 'record')}` : 'Import'}
        </Button>
      )}
    </div>
  )
}

function titleOf(isDone: boolean, isNothing: boolean): string {
  if (isNothing) return isDone ? 'Nothing had to be changed' : 'Everything is already as in the file'
  return isDone ? 'Imported' : 'What the import would change'
}

interface NamesProps {
  readonly changes: Result['integrations']['changes']
  readonly action: (typeof actions)[number]
}

function Names({ changes, action }: NamesProps) {
  const names = changes.filter((change) => change.action === action).map(({ name }) => name)
  if (names.length === 0) return <span className="soft">–</span>
  return (
    <>
      <strong>{names.length.toLocaleString('en')}</strong> {names.join(', ')}
    </>
  )
}
