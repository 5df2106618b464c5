import { Link } from '@tanstack/react-router'
import { Button, Input, Label, TextField } from 'react-aria-components'
import type { MessagesSearch } from '../../app/search.ts'
import { Explanation } from '../../parts/explanation.tsx'
import { useTypedText } from '../../parts/forms/typed-text.ts'
import type { MessageFilter } from './message-query.ts'

const tracePattern = /[0-9a-f]{32}/i

interface WhyCardProps {
  readonly search: MessagesSearch
  readonly filter: MessageFilter
  readonly onTrace: (traceId: string | undefined) => void
  readonly onClose: () => void
}

/** Explains why a message is, or is not, in the list. It is identified by its trace id or its address. */
export function WhyCard({ search, filter, onTrace, onClose }: WhyCardProps) {
  const { why, ...rest } = search
  // The text becomes part of the address when it is submitted, and follows the address on going back.
  const [text, setText] = useTypedText(why ?? '', () => {}, idOf)
  const found = idOf(text)
  return (
    <section className="card why" aria-label="Why is a message not here?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onTrace(found)
        }}
      >
        <TextField
          value={text}
          onChange={setText}
          isInvalid={text !== '' && found === undefined}
          autoFocus={why === undefined}
        >
          <Label>Why is a message not here?</Label>
          <Input className="field mono" placeholder="Its trace id, or the address of its page" />
        </TextField>
        <Button type="submit" className="button primary" isDisabled={found === undefined}>
          Explain
        </Button>
        <Button className="button" onPress={onClose}>
          Close
        </Button>
      </form>
      {why !== undefined && (
        <Explanation
          traceId={why}
          filter={filter}
          stepLink={({ span_id }, children) => (
            <Link to="/messages/$id" params={{ id: why }} search={{ ...rest, span: span_id, side: 'why' }}>
              {children}
            </Link>
          )}
        />
      )}
    </section>
  )
}

/** Returns the trace id in a text, or undefined without one. */
function idOf(text: string): string | undefined {
  return tracePattern.exec(text)?.[0].toLowerCase()
}
