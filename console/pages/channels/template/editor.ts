/** The editor of templates: JSON, completion of variables after `$`, and faults where they are. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  pickedCompletion,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { TemplatePreview, TemplateVariable } from './template-query.ts'
import { completionText, rangeOf } from './template-text.ts'

export interface EditorOptions {
  readonly text: string
  readonly label: string
  /** The id of the element that describes the editor. */
  readonly describedBy: string
  /** Resolves with the variables, possibly after the first `$` was typed. */
  readonly variables: () => Promise<readonly TemplateVariable[]>
  readonly onChange: (text: string) => void
}

/** The number of options that fit without scrolling. The arrow keys reach the others. */
const optionsShown = 12

/** Creates the editor in an element. The caller destroys it. */
export function createEditor(parent: HTMLElement, options: EditorOptions): EditorView {
  const { text, label, describedBy, variables, onChange } = options
  const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  const state = EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      // Any other line break is an ordinary character, so that showing a stored text does not change it.
      EditorState.lineSeparator.of('\n'),
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      json(),
      lintGutter(),
      syntaxHighlighting(highlights),
      autocompletion({
        override: [(context) => complete(context, variables)],
        icons: false,
        maxRenderedOptions: optionsShown,
      }),
      // The Tab key keeps its meaning, so that the keyboard can leave the editor.
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString())
      }),
      theme,
    ],
  })
  return new EditorView({ parent, state })
}

/** Replaces the whole text, for example with the version that another person has saved. */
export function replaceText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
}

/** Inserts a reference in place of the selection. */
export function insertReference(view: EditorView, path: string): void {
  const { to } = view.state.selection.main
  const after = view.state.sliceDoc(to, to + 1)
  view.dispatch(view.state.replaceSelection(`$${completionText(path, false, after)}`))
  view.focus()
}

/** Marks the faults of a template, unless the text has changed since. */
export function showFaults(view: EditorView, { template, faults }: TemplatePreview): void {
  if (view.state.doc.toString() !== template) return
  const diagnostics = faults.map(
    ({ message, position }): Diagnostic => ({ ...rangeOf(template, position), severity: 'error', message }),
  )
  view.dispatch(setDiagnostics(view.state, diagnostics))
}

/** Selects a fault and shows it. */
export function goTo(view: EditorView, position: number): void {
  const { from, to } = rangeOf(view.state.doc.toString(), position)
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
  view.focus()
}

/** Completes the path of a variable after `$` or `${`. */
async function complete(
  context: CompletionContext,
  variables: EditorOptions['variables'],
): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\$\{?[\w.]*/)
  if (typed === null) return null
  const isBraced = typed.text.startsWith('${')
  return {
    from: typed.from + (isBraced ? 2 : 1),
    validFor: /^[\w.]*$/,
    options: (await variables()).map((variable) => ({
      label: variable.path,
      detail: `${variable.type} · ${sampleOf(variable)}`,
      info: `${variable.description} Has a value: ${variable.when}.`,
      apply: (view, completion, from, to) => {
        const insert = completionText(variable.path, isBraced, view.state.sliceDoc(to, to + 1))
        const changes = { from, to, insert }
        const anchor = from + insert.length
        view.dispatch({ changes, selection: { anchor }, annotations: pickedCompletion.of(completion) })
      },
    })),
  }
}

const sampleMax = 36

/** Formats the sample of a variable, truncated. */
export function sampleOf({ sample }: TemplateVariable): string {
  const text = typeof sample === 'string' ? sample : JSON.stringify(sample ?? null)
  return text.length > sampleMax ? `${text.slice(0, sampleMax)}…` : text
}

const highlights = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--ink)' },
])

const theme = EditorView.theme({
  '&': { border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', minHeight: '180px', maxHeight: '420px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-soft)', border: '0' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-wash)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-wash)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: 'none', overflow: 'visible', fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-wash)',
    color: 'var(--ink)',
  },
  '.cm-tooltip-autocomplete .cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '320px', padding: '6px 9px' },
  '.cm-diagnostic': { padding: '4px 9px', borderLeft: '3px solid var(--error)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    backgroundColor: 'var(--error-wash)',
    textDecoration: 'underline wavy var(--error)',
  },
})
