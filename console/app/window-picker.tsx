import { type KeyboardEvent, useState } from 'react'
import { Button, Dialog, DialogTrigger, Input, Label, Popover, TextField } from 'react-aria-components'
import { DownIcon } from '../parts/icons.tsx'
import { currentTime } from '../parts/time/clock.ts'
import { parseWindow } from '../parts/time/parse-window.ts'
import {
  describeWindow,
  isZoneChosen,
  relativeWindows,
  type WindowSearch,
  windowAt,
  zoneName,
} from '../parts/time/time.ts'
import { usePreferences } from './preferences.tsx'

interface WindowPickerProps {
  readonly value: WindowSearch
  readonly onChange: (value: WindowSearch) => void
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/**
 * Chooses the window: a common one from a list, or any other one in words. Shows whether it is relative, and the time
 * zone.
 */
export function WindowPicker({ value, onChange, isOpen, onOpenChange }: WindowPickerProps) {
  const { isUtc, set } = usePreferences()
  const choose = (window: WindowSearch) => {
    onChange(window)
    onOpenChange(false)
  }
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      <Button className="button" aria-label={`Time range: ${describeWindow(value, isUtc)}`}>
        {describeWindow(value, isUtc)}
        <DownIcon />
      </Button>
      <Popover className="popover">
        <Dialog className="window-picker" aria-label="Time range">
          <div onKeyDownCapture={walk}>
            <ul>
              {relativeWindows.map(([last, words]) => (
                <li key={last}>
                  <Button className="button bare" onPress={() => choose({ last })}>
                    {words}
                  </Button>
                </li>
              ))}
            </ul>
            <WordsField value={value} onChoose={choose} />
          </div>
          <p className="soft">
            Times are shown in {zoneName(isUtc)}.{' '}
            {isZoneChosen() && (
              <Button className="button bare" onPress={() => set({ isUtc: !isUtc })}>
                Show {isUtc ? 'local time' : 'UTC'}
              </Button>
            )}
          </p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** Moves the focus through the common windows and the field below them by the arrow keys. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')]
  const at = stops.indexOf(event.target as HTMLElement)
  stops.at((at + step) % stops.length)?.focus()
  event.preventDefault()
}

interface WordsFieldProps {
  readonly value: WindowSearch
  readonly onChoose: (value: WindowSearch) => void
}

function WordsField({ value, onChoose }: WordsFieldProps) {
  const { isUtc } = usePreferences()
  const [words, setWords] = useState('')
  const parsed = parseWindow(words, currentTime(), isUtc)
  const meant = parsed === undefined ? undefined : windowAt(parsed, currentTime())
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed !== undefined) onChoose(parsed)
      }}
    >
      <TextField value={words} onChange={setWords} autoFocus>
        <Label>Any time</Label>
        <Input className="field" placeholder="last 3 hours, 9:30 to 10:15, 2026-03-01 09:00 to 2026-03-01 10:00" />
      </TextField>
      <p className="soft" aria-live="polite">
        {words !== '' && meant === undefined
          ? 'Not understood yet. Try “45m”, “last 2 days”, “9:30 to 10:15” or “9:30 to now”.'
          : describeWindow(meant ?? windowAt(value, currentTime()), isUtc, 3)}
      </p>
    </form>
  )
}
