import { type FormEvent, useState } from 'react'
import { Button, Input, Label, TextField } from 'react-aria-components'
import { statusOf } from '../../app/api.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { useNewest } from '../../parts/answers/newest.ts'
import { isAtFields, problemAt } from '../../parts/forms/problem-at.ts'
import { Conflict } from '../../parts/records/conflict.tsx'
import { isSamePart, LeaveQuestion } from '../../parts/records/leave-question.tsx'
import { working } from '../../parts/working.ts'
import { type Facet, useFacetChanges, useFacets } from './facet-query.ts'

interface FacetFormProps {
  /** The facet to change. Without it, a new one is created. */
  readonly facet?: Facet
  readonly onDone: () => void
}

/** A form for the name and the description of a custom facet. */
export function FacetForm({ facet, onDone }: FacetFormProps) {
  const edits = useFacetEdits(facet, onDone)
  const { opened, name, description, setName, setDescription, theirs, isPending, error, save } = edits
  const question = <LeaveQuestion isEdited={edits.isEdited} isKept={isSamePart} />
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save(opened)
  }
  if (statusOf(error) === 412 && opened !== undefined) {
    return (
      <>
        {question}
        <Conflict
          noun="facet"
          theirs={theirs}
          show={(stored) => <FacetVersion {...stored} />}
          mine={<FacetVersion name={name} description={description} />}
          onTheirs={edits.take}
          onMine={save}
        />
      </>
    )
  }
  return (
    <form
      // A fault of the server must not keep the browser from submitting corrected fields.
      noValidate
      className="record-form"
      aria-label={opened === undefined ? 'New facet' : `Facet ${opened.slug}`}
      onSubmit={onSubmit}
    >
      {question}
      <FormField label="Name" value={name} onChange={setName} fault={problemAt(error, '/name')} isFirst />
      <FormField
        label="Description"
        value={description}
        onChange={setDescription}
        fault={problemAt(error, '/description')}
      />
      <FormActions facet={opened} isPending={isPending} onCancel={onDone} />
      {error !== null && !isAtFields(error, ['/name', '/description']) && <Fault error={error} />}
    </form>
  )
}

/** Returns the edits of the form, and the version that another person has saved meanwhile. */
function useFacetEdits(facet: Facet | undefined, onDone: () => void) {
  /** The facet as it was when the form was opened, so that what another person saves meanwhile is not overwritten. */
  const [opened, setOpened] = useState(facet)
  const [name, setName] = useState(facet?.name ?? '')
  const [description, setDescription] = useState(facet?.description ?? '')
  const facets = useFacets()
  const { create, update } = useFacetChanges()
  const error = create.error ?? update.error
  const typed = `${name}\n${description}`
  const newest = useNewest(typed)
  const save = (over: Facet | undefined) => {
    const body = { name: name.trim(), description: description.trim() }
    // Edits that are made while the facet is being saved are kept, as a change of it.
    const onSuccess = (stored: Facet) => (newest() === typed ? onDone() : setOpened(stored))
    if (over === undefined) create.mutate(body, { onSuccess })
    else
      update.mutate(
        { facet: over, ...body },
        { onSuccess, onError: (failure) => statusOf(failure) === 412 && void facets.refetch() },
      )
  }
  const isNewest = !facets.isFetching && facets.error === null
  const theirs = {
    stored: isNewest ? facets.data?.find(({ slug }) => slug === opened?.slug) : undefined,
    fault: facets.error === null ? undefined : <Fault error={facets.error} retry={() => void facets.refetch()} />,
  }
  return {
    opened,
    name,
    description,
    setName,
    setDescription,
    save,
    theirs,
    error,
    isEdited: name !== (opened?.name ?? '') || description !== (opened?.description ?? ''),
    isPending: create.isPending || update.isPending,
    take(stored: Facet) {
      update.reset()
      setOpened(stored)
      setName(stored.name)
      setDescription(stored.description)
    },
  }
}

interface FormActionsProps {
  readonly facet: Facet | undefined
  readonly isPending: boolean
  readonly onCancel: () => void
}

function FormActions({ facet, isPending, onCancel }: FormActionsProps) {
  return (
    <div className="record-actions">
      <Button type="submit" className="button primary" {...working(isPending)}>
        {facet === undefined ? 'Create facet' : 'Save facet'}
      </Button>
      <Button className="button" onPress={onCancel}>
        Cancel
      </Button>
      {facet !== undefined && <span className="soft">The slug {facet.slug} stays as it is.</span>}
    </div>
  )
}

function FacetVersion({ name, description }: { readonly name: string; readonly description: string }) {
  return (
    <>
      <p>
        <strong>{name}</strong>
      </p>
      <p>{description === '' ? <span className="soft">No description</span> : description}</p>
    </>
  )
}

interface FormFieldProps {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
  readonly isFirst?: boolean
}

function FormField({ label, value, fault, onChange, isFirst = false }: FormFieldProps) {
  return (
    <TextField
      className="labelled"
      value={value}
      onChange={onChange}
      isInvalid={fault !== undefined}
      autoFocus={isFirst}
    >
      <Label>{label}</Label>
      <Input className="field" />
      {fault !== undefined && (
        <span className="field-fault" role="alert">
          {fault}
        </span>
      )}
    </TextField>
  )
}
