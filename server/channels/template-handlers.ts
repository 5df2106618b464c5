import type { Handlers } from '../http/handlers.ts'
import { decodePageCursor, encodePageCursor } from '../metadata/page-cursor.ts'
import { sampleContext } from './sample-context.ts'
import { renderTemplate } from './template.ts'
import { compileTemplateAt } from './template-refusal.ts'
import { templateVariables } from './template-variables.ts'

const itemsDefault = 50

const items = Object.entries(templateVariables).map(([path, variable]) => ({ path, ...variable }))

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function templateHandlers(): Handlers<'listTemplateVariables' | 'previewTemplate'> {
  return {
    async listTemplateVariables({ query: { limit = itemsDefault, cursor } }) {
      const listed = 'template-variables'
      const after = cursor && decodePageCursor(listed, cursor)
      const begin = items.findIndex(({ path }) => path === after) + 1
      const page = items.slice(begin, begin + limit)
      const last = begin + limit < items.length ? page.at(-1) : undefined
      return { status: 200, body: { items: page, next_cursor: last ? encodePageCursor(listed, last.path) : null } }
    },
    async previewTemplate({ body: { body_template } }) {
      const text = renderTemplate(compileTemplateAt('/body_template', body_template), sampleContext)
      return { status: 200, body: { body: JSON.parse(text), text } }
    },
  }
}
