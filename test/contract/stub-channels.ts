import type { Handlers } from '../../server/http/handlers.ts'

const channel = {
  id: '01JNB4Y8Z4E6G8J0M2P4R6T8WX',
  kind: 'webhook',
  name: 'On-call',
  enabled: true,
  config: {
    url: 'https://receiver.example/alerts',
    format: 'json',
    auth_header: { set: false },
    signing_secret: { set: true, last4: 'b7oD' },
  },
  version: 1,
  created_at: '2026-03-01T09:00:00Z',
  updated_at: '2026-03-01T09:00:00Z',
} as const

/** Handlers of channels and templates that answer the least that the document allows. */
export const stubChannelHandlers: Pick<
  Handlers,
  | Exclude<Extract<keyof Handlers, `${string}Channel${string}`>, 'testChannel'>
  | Extract<keyof Handlers, `${string}Template${string}`>
> = {
  listTemplateVariables: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  previewTemplate: () => ({ status: 200, body: { body: {}, text: '{}' } }),
  listChannels: () => ({ status: 200, body: { items: [channel], next_cursor: null } }),
  createChannel: () => ({
    status: 201,
    headers: { Location: `/api/v1/alerting/channels/${channel.id}` },
    body: channel,
  }),
  getChannel: () => ({ status: 200, body: channel }),
  updateChannel: () => ({ status: 200, body: channel }),
  deleteChannel: () => ({ status: 204 }),
}
