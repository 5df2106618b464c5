import type { Handlers } from '../../server/http/handlers.ts'

/** Handlers of channels and templates that answer the least that the document allows. */
export const stubChannelHandlers: Pick<Handlers, 'listTemplateVariables' | 'previewTemplate'> = {
  listTemplateVariables: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  previewTemplate: () => ({ status: 200, body: { body: {}, text: '{}' } }),
}
