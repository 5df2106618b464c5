import { refused, refusedFields } from '../../problem/problem.ts'
import { compileTemplate, renderTemplate, type Template } from '../templates/template.ts'
import { InvalidTemplate } from '../templates/template-document.ts'
import { jsonFormat } from './json-format.ts'
import type { WebhookFormat } from './webhook-format.ts'

/**
 * The JSON document of the channel, with the details of the alert in place of its variables. Rendering fails if the
 * body would be too large, or if the template was accepted by another version of the server but is not valid in this
 * one.
 */
export const templateFormat: WebhookFormat = {
  contentType: 'application/json',
  checkSettings({ bodyTemplate }, pointer) {
    const at = `${pointer}/body_template`
    if (bodyTemplate === null) throw refused(at, 'required', 'The format `template` requires `body_template`.')
    compileTemplateAt(at, bodyTemplate)
  },
  render: ({ context }, { bodyTemplate }) => renderTemplate(compileOnce(bodyTemplate ?? ''), context),
  fallback: jsonFormat,
}

/**
 * Compiles a template. `pointer` locates it in the request body.
 * @throws Problem 422 that lists every fault of the template
 */
export function compileTemplateAt(pointer: string, text: string): Template {
  try {
    return compileTemplate(text)
  } catch (error) {
    if (!(error instanceof InvalidTemplate)) throw error
    throw refusedFields(error.faults.map((fault) => ({ pointer, ...fault })))
  }
}

const templatesKeptMax = 256

/** Compiled templates by text, least recently used first. */
const compiled = new Map<string, Template>()

function compileOnce(text: string): Template {
  const template = compiled.get(text) ?? compileTemplate(text)
  // Maps iterate in insertion order, so reinserting the template makes it the most recently used one.
  compiled.delete(text)
  compiled.set(text, template)
  if (compiled.size > templatesKeptMax) compiled.delete(compiled.keys().next().value ?? text)
  return template
}
