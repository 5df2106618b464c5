import type { EditorView } from '@codemirror/view'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import { useSettled } from '../../../parts/answers/settled.ts'
import { Segments } from '../../../parts/forms/segments.tsx'
import { createEditor, goTo, insertReference, replaceText, sampleOf, showFaults } from './editor.ts'
import {
  bytesOf,
  type TemplatePreview,
  type TemplateVariable,
  templateBytesMax,
  useTemplatePreview,
  variablesQuery,
} from './template-query.ts'
import { lineAndColumn } from './template-text.ts'

interface TemplateFieldProps {
  readonly template: string
  /** The fault of the template in the last attempt to save it. */
  readonly fault: string | undefined
  readonly onChange: (template: string) => void
}

/** Edits the template of a channel and previews the body that would be posted. */
export function TemplateField({ template, fault, onChange }: TemplateFieldProps) {
  const [side, setSide] = useState<'preview' | 'variables'>('preview')
  const variables = useQuery(variablesQuery)
  const preview = useTemplatePreview(useSettled(template))
  const all = variables.data?.items ?? []
  const view = useRef<EditorView>(null)
  const hintId = useId()
  const element = useEditor({ view, template, onChange, preview: preview.data, hintId })
  return (
    <div className="template-field">
      <div className="labelled">
        <span className="label">Body template</span>
        <div ref={element} className="template-editor" />
        <p className="template-line">
          <span id={hintId} className="soft">
            <kbd>$</kbd> suggests variables, <kbd>Tab</kbd> leaves the editor.
          </span>
          <ByteCount bytes={bytesOf(template)} />
        </p>
        <Faults
          preview={preview.data}
          fault={fault}
          onGo={(position) => view.current !== null && goTo(view.current, position)}
        />
        {preview.error !== null && <Fault error={preview.error} retry={() => void preview.refetch()} />}
      </div>
      <div className="template-side">
        <Segments
          label="Beside the template"
          value={side}
          options={[
            ['preview', 'Preview'],
            ['variables', 'Variables'],
          ]}
          onChange={setSide}
        />
        {side === 'preview' ? (
          <Preview preview={preview.data} isStale={preview.isPlaceholderData || preview.data?.template !== template} />
        ) : (
          <VariableList
            variables={all}
            onInsert={(path) => view.current !== null && insertReference(view.current, path)}
          />
        )}
      </div>
    </div>
  )
}

interface UseEditorOptions {
  readonly view: RefObject<EditorView | null>
  readonly template: string
  readonly onChange: (template: string) => void
  readonly preview: TemplatePreview | undefined
  readonly hintId: string
}

/** Mounts an editor in the element of the returned reference. */
function useEditor(options: UseEditorOptions): RefObject<HTMLDivElement | null> {
  const { view, template, preview, hintId } = options
  const element = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    if (element.current === null) return
    const created = createEditor(element.current, {
      text: latest.current.template,
      label: 'Body template',
      describedBy: hintId,
      variables: () =>
        client.ensureQueryData(variablesQuery).then(
          ({ items }) => items,
          () => [],
        ),
      onChange: (text) => latest.current.onChange(text),
    })
    view.current = created
    return () => {
      view.current = null
      created.destroy()
    }
  }, [view, client, hintId])
  useEffect(() => {
    if (view.current !== null && view.current.state.doc.toString() !== template) replaceText(view.current, template)
  }, [view, template])
  useEffect(() => {
    if (view.current !== null && preview !== undefined) showFaults(view.current, preview)
  }, [view, preview])
  return element
}

function ByteCount({ bytes }: { readonly bytes: number }) {
  const isTooLarge = bytes > templateBytesMax
  const [written, limit] = [bytes.toLocaleString('en'), templateBytesMax.toLocaleString('en')]
  return (
    // Announced once the limit is exceeded, and not at every keystroke.
    <span className={isTooLarge ? 'field-fault' : 'soft'} {...(isTooLarge ? { role: 'status' } : {})}>
      {written} of {limit} bytes{isTooLarge && `, ${(bytes - templateBytesMax).toLocaleString('en')} too many`}
    </span>
  )
}

interface FaultsProps {
  readonly preview: TemplatePreview | undefined
  readonly fault: string | undefined
  readonly onGo: (position: number) => void
}

function Faults({ preview, fault, onGo }: FaultsProps) {
  const faults = preview?.faults ?? []
  if (preview === undefined || faults.length === 0) {
    return fault === undefined || preview !== undefined ? null : <p className="field-fault">{fault}</p>
  }
  return (
    <ul className="template-faults" aria-label="Template errors" aria-live="polite">
      {faults.map(({ message, position }) => {
        const at = position === undefined ? undefined : lineAndColumn(preview.template, position)
        return (
          <li key={`${position} ${message}`} className="field-fault">
            {at !== undefined && position !== undefined && (
              <Button className="button bare" onPress={() => onGo(position)}>
                Line {at.line}, column {at.column}
              </Button>
            )}
            <span>{message}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Preview({ preview, isStale }: { readonly preview: TemplatePreview | undefined; readonly isStale: boolean }) {
  if (preview === undefined) return <Waiting className="template-waiting" words="Rendering" />
  if (preview.text === undefined) return <p className="soft">The template has errors, so nothing can be rendered.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="template-preview" aria-label="Preview of the body" aria-busy={isStale} tabIndex={0}>
      <pre>{preview.text}</pre>
      <p className="soft">What would be posted, with sample values, by the renderer of deliveries.</p>
    </section>
  )
}

interface VariableListProps {
  readonly variables: readonly TemplateVariable[]
  readonly onInsert: (path: string) => void
}

/** Every variable with a sample value. A click inserts it. */
function VariableList({ variables, onInsert }: VariableListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="template-preview" aria-label="Variables" tabIndex={0}>
      <ul>
        {variables.map((variable) => (
          <li key={variable.path}>
            <Button className="variable" onPress={() => onInsert(variable.path)}>
              <code>
                <span className="visually-hidden">Insert </span>${variable.path}
              </code>{' '}
              <small className="soft">{variable.type}</small>
              <span className="mono soft">{sampleOf(variable)}</span>
              <small className="soft">
                {variable.description} Has a value: {variable.when}.
              </small>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
