import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../../../app/api.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { ModalDialog } from '../../../parts/forms/dialog.tsx'
import { type Draft, describeRule, type Integration, toDraft } from './draft.ts'

interface VersionConflictProps {
  readonly id: string
  readonly draft: Draft
  readonly onTheirs: (saved: Integration) => void
  readonly onMine: (saved: Integration) => void
  readonly onClose: () => void
}

/** Shows the version that another person has saved meanwhile beside the draft. The person chooses which one to keep. */
export function VersionConflict({ id, draft, onTheirs, onMine, onClose }: VersionConflictProps) {
  const saved = useQuery({
    queryKey: ['integration', id, 'newest'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/integrations/{id}', { params: { path: { id } }, signal })),
    // Every conflict reads the current version again.
    gcTime: 0,
  })
  return (
    <ModalDialog
      title="This integration was changed meanwhile, by another person or in another tab"
      isWide
      onClose={onClose}
    >
      {saved.error !== null && <Fault error={saved.error} retry={() => void saved.refetch()} />}
      {saved.data !== undefined && (
        <>
          <p>Nothing was saved. Choose the version that stays.</p>
          <Versions mine={draft} theirs={toDraft(saved.data)} />
          <div className="dialog-actions">
            <Button className="button" onPress={onClose}>
              Keep editing
            </Button>
            <Button className="button" onPress={() => onTheirs(saved.data)}>
              Take their version
            </Button>
            <Button className="button primary" onPress={() => onMine(saved.data)}>
              Replace it with mine
            </Button>
          </div>
        </>
      )}
    </ModalDialog>
  )
}

/** Shows both versions, field by field. Differences are marked by a word and by colour. */
function Versions({ mine, theirs }: { readonly mine: Draft; readonly theirs: Draft }) {
  const fields = [
    ['Name', mine.name, theirs.name],
    ['Description', mine.description, theirs.description],
    ['Rules', modeOf(mine), modeOf(theirs)],
  ] as const
  const [ownRules, theirRules] = [rulesOf(mine), rulesOf(theirs)]
  return (
    <table className="versions">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Field</span>
          </th>
          <th scope="col">Mine</th>
          <th scope="col">Theirs, saved</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(([name, own, other]) => (
          <tr key={name} className={own === other ? undefined : 'differs'}>
            <th scope="row">
              {name}
              {own !== other && <span className="visually-hidden"> (differs)</span>}
            </th>
            <td>{own}</td>
            <td>{other}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">
            <span className="visually-hidden">List of rules</span>
          </th>
          <td>
            <RuleList rules={ownRules} others={theirRules} note="only in mine" />
          </td>
          <td>
            <RuleList rules={theirRules} others={ownRules} note="only in theirs" />
          </td>
        </tr>
      </tbody>
    </table>
  )
}

interface RuleListProps {
  readonly rules: readonly string[]
  readonly others: readonly string[]
  readonly note: string
}

function RuleList({ rules, others, note }: RuleListProps) {
  if (rules.length === 0) return <span className="soft">no rules</span>
  return (
    <ul>
      {rules.map((rule) => (
        <li key={rule} className={others.includes(rule) ? undefined : 'differs'}>
          {rule} {!others.includes(rule) && <em>({note})</em>}
        </li>
      ))}
    </ul>
  )
}

function modeOf({ ruleMatch }: Draft): string {
  return ruleMatch === 'any' ? 'any rule must match' : 'all rules must match'
}

function rulesOf({ services }: Draft): string[] {
  return services.flatMap((service) => service.rules.map((rule) => describeRule(service, rule)))
}
