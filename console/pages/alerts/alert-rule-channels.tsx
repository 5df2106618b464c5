import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { CheckboxGroup, FieldError, Input, Label, SearchField } from 'react-aria-components'
import { useShownRecords } from '../../parts/answers/shown.tsx'
import { useChannels } from '../channels/channel-query.ts'
import type { RuleDraft } from './alert-rule-draft.ts'
import { Check } from './alert-rule-fields.tsx'

/** Channels that are shown at once beside the chosen ones. */
const shownStep = 50
/** With more channels than these, there is a field to search them. */
const searchedMin = 20

interface ChannelChoiceProps {
  /** The ids of the chosen channels. */
  readonly chosen: readonly string[]
  readonly fault: string | undefined
  readonly onChange: (change: Pick<RuleDraft, 'channels'>) => void
}

/** Chooses the channels that a rule notifies. It is memoized because there may be many. */
export const ChannelChoice = memo(function ChannelChoice({ chosen, fault, onChange }: ChannelChoiceProps) {
  const { data } = useChannels()
  const [text, setText] = useState('')
  const found = (data ?? []).filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  const { shown, more } = useShownRecords(found, shownStep)
  const others = (data ?? []).filter((each) => chosen.includes(each.id) && !shown.includes(each))
  return (
    <div className="labelled">
      <CheckboxGroup
        className="labelled"
        value={[...chosen]}
        onChange={(channels) => onChange({ channels })}
        validationBehavior="aria"
        isInvalid={fault !== undefined}
      >
        <Label className="label">Channels that are notified</Label>
        {data !== undefined && data.length > searchedMin && (
          // Enter searches, and does not submit the form of the rule.
          <SearchField aria-label="Find a channel" value={text} onChange={setText} onSubmit={() => {}}>
            <Input className="field" placeholder="Find a channel" spellCheck={false} />
          </SearchField>
        )}
        <span className="field-line">
          {[...others, ...shown].map(({ id, name, enabled }) => (
            <Check key={id} value={id}>
              {name}
              {!enabled && <small className="failed-state"> disabled</small>}
            </Check>
          ))}
          {data?.length === 0 && (
            <span className="soft">
              No channels yet.{' '}
              <Link to="/channels/$id" params={{ id: 'new' }}>
                Add one
              </Link>
              ; your edits stay here.
            </span>
          )}
          {text !== '' && found.length === 0 && <span className="soft">No channel has “{text}” in its name.</span>}
        </span>
        <FieldError className="field-fault">{fault}</FieldError>
      </CheckboxGroup>
      {more}
    </div>
  )
})
