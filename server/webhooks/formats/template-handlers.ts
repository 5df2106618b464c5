import type { Handlers } from '../../http/contract/handlers.ts'
import { textPart } from '../../http/cursor.ts'
import { readPage } from '../../http/paging.ts'
import { renderTemplate } from '../templates/template.ts'
import { sampleContext, templateVariables } from '../templates/template-variables.ts'
import { compileTemplateAt } from './template-format.ts'

const variables = Object.entries(templateVariables).map(([path, variable]) => ({ path, ...variable }))

/** Returns the handlers that list the variables of templates and preview a template. */
export function templateHandlers(): Handlers<'listTemplateVariables' | 'previewTemplate'> {
  return {
    async listTemplateVariables({ query }) {
      const body = await readPage({
        list: ['template variables'],
        page: query,
        read: (_, after) => variables.slice(1 + variables.findIndex(({ path }) => path === after?.[0])),
        positionOf: ({ path }) => [path],
        parts: [textPart],
      })
      return { status: 200, body }
    },
    async previewTemplate({ body: { body_template } }) {
      const text = renderTemplate(compileTemplateAt('/body_template', body_template), sampleContext)
      return { status: 200, body: { body: JSON.parse(text), text } }
    },
  }
}
