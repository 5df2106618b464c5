import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button, TextArea, TextField } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, statusOf, TracefoldProblem } from '../../app/api.ts'
import type { MessagesSearch } from '../../app/search.ts'
import { isSignedOut, useCaller, useMayWrite } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { likelySentence } from '../../parts/conditions/likely-sentence.ts'
import { SentenceText } from '../../parts/conditions/sentence-text.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import {
  relativeSecondsOf,
  relativeWindow,
  type TimeWindow,
  type WindowSearch,
  withoutWindow,
} from '../../parts/time/time.ts'
import { without } from '../../parts/without.ts'
import { working } from '../../parts/working.ts'
import { newRuleOnMessages } from '../alerts/alerts-search.ts'
import type { MessageFilter } from './message-query.ts'

type SentenceFilter = components['schemas']['SentenceFilter']

interface SentenceProps {
  readonly search: MessagesSearch
  readonly filter: MessageFilter & TimeWindow
  readonly onChange: (search: MessagesSearch) => void
}

/** Shows the server's sentence about the filter, which can be copied, edited and pasted. */
export function Sentence({ search, filter, onChange }: SentenceProps) {
  const [form, setForm] = useState<'open' | 'closed'>()
  // Undefined until something is typed, because the sentence of a filter that has just changed may not have arrived.
  const [typed, setTyped] = useState<string>()
  const edit = () => {
    setTyped(undefined)
    setForm('open')
  }
  const body = sentenceFilterOf(search, filter)
  const { data, error, refetch } = useQuery({
    queryKey: ['sentence', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/messages/summary', { body, signal })),
    placeholderData: (previous) => previous,
  })
  const likely = likelySentence('Messages', 'message', { ...body, conditions: filter.rows ?? [] })
  if (form === 'open') {
    return (
      <SentenceForm
        text={typed ?? data?.summary ?? ''}
        onText={setTyped}
        onCancel={() => setForm('closed')}
        onRead={(read) => {
          setForm('closed')
          onChange(searchOfFilter(search, read))
        }}
      />
    )
  }
  return (
    <div className="sentence">
      {hasOwnFault(error) ? (
        <Fault error={error} retry={() => void refetch()} />
      ) : (
        <SentenceText text={data?.summary} likely={likely} />
      )}
      <span className="sentence-actions">
        <NewRuleLink search={search} />
        {/* After the form, the focus returns to the button that opened it. */}
        <Button className="button bare" isDisabled={data === undefined} autoFocus={form === 'closed'} onPress={edit}>
          Edit as text
        </Button>
        <CopyButton text={data?.summary} label="Copy the sentence" />
      </span>
    </div>
  )
}

/** Links to a new alert rule on the filter if the caller may create one. Its space is reserved until that is known. */
function NewRuleLink({ search }: Pick<SentenceProps, 'search'>) {
  const isKnown = useCaller().data !== undefined
  const mayWrite = useMayWrite()
  if (isKnown && !mayWrite) return null
  return (
    <Link
      className={`button-link bare${isKnown ? '' : ' keeps-place'}`}
      to="/alerts/rules/$id"
      params={{ id: 'new' }}
      search={newRuleOnMessages(search)}
    >
      New alert rule
    </Link>
  )
}

/**
 * Reports whether the error is about the sentence alone. The search itself reports faults of its filter, an integration
 * that does not exist, and an ended session.
 */
function hasOwnFault(error: Error | null): error is Error {
  return error !== null && ![400, 404].includes(statusOf(error) ?? 0) && !isSignedOut(error)
}

interface SentenceFormProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onRead: (filter: SentenceFilter) => void
  readonly onCancel: () => void
}

function SentenceForm({ text, onText, onRead, onCancel }: SentenceFormProps) {
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: (sentence: string) =>
      dataOf(api.POST('/api/v1/messages/parse', { body: { sentence, keep_relative_window: true } })),
  })
  // The rest of the search may change while the sentence is being parsed.
  const latest = useRef(onRead)
  latest.current = onRead
  // Only the response to the last text is applied, and only if the text is unchanged and the form still open.
  const read = () => mutate(text, { onSuccess: (filter) => latest.current(filter) })
  const onKeyDown = (event: KeyboardEvent) => {
    // During input composition, Enter selects a character.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && !event.shiftKey) read()
    else return
    event.preventDefault()
  }
  return (
    <div className="sentence-form">
      <TextField
        aria-label="The search as a sentence"
        value={text}
        onChange={(next) => {
          // The response and its fault are about the previous text.
          reset()
          onText(next)
        }}
        autoFocus
      >
        <TextArea className="field" rows={3} spellCheck={false} onKeyDown={onKeyDown} />
      </TextField>
      {error !== null && <SentenceFault text={text} error={error} />}
      <span className="sentence-actions">
        <Button className="button primary" onPress={read} {...working(isPending)}>
          Search
        </Button>
        <Button className="button" onPress={onCancel}>
          Cancel
        </Button>
        <span className="soft">
          For example: Messages with status error where customer.id equals "77", in the last 15 minutes.
        </span>
      </span>
    </div>
  )
}

/** Marks the first character that could not be parsed. Positions are in code points. */
function SentenceFault({ text, error }: { readonly text: string; readonly error: Error }) {
  const fault = error instanceof TracefoldProblem ? error.errors[0] : undefined
  if (fault?.position === undefined) return <Fault error={error} />
  const characters = [...text]
  const rest = characters.slice(fault.position).join('')
  return (
    <div className="sentence-fault" role="alert">
      <p className="mono">
        {characters.slice(0, fault.position).join('')}
        <mark>{rest === '' ? ' ' : rest}</mark>
      </p>
      <p className="failed-text">{fault.message}</p>
    </div>
  )
}

/**
 * Returns the filter of the sentence. That of a relative search names the relative window, so that it keeps its meaning
 * when it is pasted later.
 */
function sentenceFilterOf(search: MessagesSearch, filter: MessageFilter & TimeWindow): SentenceFilter {
  const last_s = relativeSecondsOf(search)
  if (last_s === undefined) return filter
  return { ...without(filter, 'from', 'to'), window: { kind: 'relative', last_s } }
}

/**
 * Returns the search with another filter. Order and columns stay, and so does the time range unless the sentence has
 * another one.
 */
function searchOfFilter(search: MessagesSearch, read: SentenceFilter): MessagesSearch {
  const kept = without(search, 'rows', 'relations', 'status', 'integration')
  const { rows = [], relations = [], status, integration_id } = read
  const window = otherWindow(search, read)
  return {
    ...(window === undefined ? kept : { ...withoutWindow(kept), ...window }),
    ...(rows.length > 0 ? { rows } : {}),
    ...(relations.length > 0 ? { relations } : {}),
    ...(status === undefined ? {} : { status }),
    ...(integration_id === undefined ? {} : { integration: integration_id }),
  }
}

/** Returns the time range of a sentence, or undefined if the sentence has none, or that of the search. */
function otherWindow(search: MessagesSearch, { from, to, window }: SentenceFilter): WindowSearch | undefined {
  if (window !== undefined) {
    return window.last_s === relativeSecondsOf(search) ? undefined : { last: relativeWindow(window.last_s) }
  }
  if (from === undefined || to === undefined) return undefined
  return isAt(from, search.from) && isAt(to, search.to) ? undefined : { from, to }
}

/** Compares times. Sentences omit trailing zeros. */
function isAt(a: string, b: string | undefined): boolean {
  const plain = (time: string) => time.replace(/(\.\d*?)0*Z$/, '$1Z').replace('.Z', 'Z')
  return b !== undefined && plain(a) === plain(b)
}
