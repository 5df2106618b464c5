import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api } from '../../../app/api.ts'
import { allItems } from '../../../parts/answers/all-items.ts'
import { SuggestedText } from '../../../parts/forms/suggestions.tsx'
import { AddIcon } from '../../../parts/icons.tsx'

interface AddSubjectProps {
  readonly subjects: readonly string[]
  readonly onAdd: (subject: string) => void
}

/**
 * Adds a restricted caller: a person, by the subject of their sign-in, or an API key, which is suggested by its name.
 */
export function AddSubject({ subjects, onAdd }: AddSubjectProps) {
  const [text, setText] = useState('')
  const keys = useQuery({
    queryKey: ['api keys', 'restricted'],
    queryFn: async ({ signal }) => {
      const all = await allItems((page) => api.GET('/api/v1/api-keys', { params: { query: page }, signal }))
      return all.filter(({ role }) => role === 'restricted')
    },
  })
  const suggestions = (keys.data ?? [])
    .map(({ id, name }) => ({ text: `key:${id}`, note: `API key ${name}` }))
    .filter((each) => !subjects.includes(each.text) && `${each.text} ${each.note}`.includes(text))
  const isListed = subjects.includes(text)
  return (
    <form
      className="add-subject"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '' || isListed) return
        onAdd(text)
        setText('')
      }}
    >
      <SuggestedText
        label="Subject to add"
        placeholder="the claim sub of a person, or key: and the id of an API key"
        value={text}
        suggestions={suggestions}
        onChange={setText}
      />
      <Button type="submit" className="button" isDisabled={text.trim() === '' || isListed}>
        <AddIcon /> Add
      </Button>
      {isListed && <span className="soft">It is already in the list.</span>}
    </form>
  )
}
