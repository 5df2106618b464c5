import type { Deps } from '../../feature.ts'
import type { HandlerRequest, Handlers } from '../../http/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { untilUnchanged } from '../../metadata/edit-record.ts'
import { namedByRules, notFound, raise } from '../../problem/problem.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { type StoredChannel, toChannelRecord } from './channel.ts'
import { changeChannel, checkChange, checkFormat, emptyChannel } from './channel-content.ts'
import type { ChannelStore } from './channel-store.ts'
import { newSigningSecret, sealFor } from './credentials.ts'
import { type AddressPolicy, refuseInternalAddress } from './receiver-address.ts'

/** Returns the names of the alert rules that notify a channel. A channel cannot be deleted while there are any. */
export type RulesNaming = (org: string, channelId: string) => Promise<readonly string[]>

export interface ChannelHandlerDeps extends Pick<Deps, 'newId'> {
  readonly store: ChannelStore
  readonly box: SecretBox
  readonly allows: AddressPolicy
  readonly rulesNaming: RulesNaming
}

type ChannelOperations = 'listChannels' | 'createChannel' | 'getChannel' | 'updateChannel' | 'deleteChannel'

export function channelHandlers(deps: ChannelHandlerDeps): Handlers<ChannelOperations> {
  const { store } = deps
  return {
    listChannels: (request) => listChannels(store, request),
    createChannel: (request) => createChannel(deps, request),
    async getChannel({ caller, path: { id } }) {
      const found = (await store.find(caller.org, id)) ?? raise(notFound('channel', id))
      return { status: 200, body: toChannelRecord(found, caller) }
    },
    async updateChannel(request) {
      const { caller, body, path } = request
      const seal = sealFor(deps.box, caller.org, path.id)
      checkChange(body, '')
      if (body.config?.url !== undefined) refuseInternalAddress(body.config.url, deps.allows, '/config/url')
      const stored = await untilUnchanged(recordOf(store, request), (current) => {
        const content = changeChannel(current, body, seal)
        checkFormat(content, '')
        return store.replace(caller.org, current, content)
      })
      return { status: 200, body: toChannelRecord(stored, caller) }
    },
    async deleteChannel(request) {
      await untilUnchanged(recordOf(store, request), (current) => removeUnused(deps, request.caller.org, current))
      return { status: 204 }
    },
  }
}

async function listChannels(store: ChannelStore, { caller, query }: HandlerRequest<'listChannels'>) {
  const page = await readNewest(['channels', caller.org], query, (newest) => store.list(caller.org, newest))
  const items = page.items.map((channel) => toChannelRecord(channel, caller))
  return { status: 200 as const, body: { ...page, items } }
}

/** Generates the signing secret if the request omits it. The response shows it once, because the receiver needs it. */
async function createChannel(
  { store, box, allows, newId }: ChannelHandlerDeps,
  { caller, body }: HandlerRequest<'createChannel'>,
) {
  checkChange(body, '')
  const id = newId()
  const made = body.config.signing_secret === undefined ? newSigningSecret() : undefined
  const change = made === undefined ? body : { ...body, config: { ...body.config, signing_secret: made } }
  const content = changeChannel(emptyChannel, change, sealFor(box, caller.org, id))
  checkFormat(content, '')
  refuseInternalAddress(content.url, allows, '/config/url')
  const record = toChannelRecord(await store.insert(caller.org, id, content), caller)
  const headers = { Location: `/api/v1/alerting/channels/${id}` }
  return { status: 201 as const, headers, body: { ...record, ...(made && { signing_secret: made }) } }
}

/** @throws Problem 409 while an alert rule names the channel */
async function removeUnused(
  { store, rulesNaming }: ChannelHandlerDeps,
  org: string,
  current: StoredChannel,
): Promise<true | undefined> {
  const rules = await rulesNaming(org, current.id)
  if (rules.length > 0) throw namedByRules('channel', current, rules)
  return (await store.remove(org, current)) || undefined
}

function recordOf(
  store: ChannelStore,
  { caller, path: { id }, headers }: HandlerRequest<'updateChannel' | 'deleteChannel'>,
) {
  return { noun: 'channel', id, ifMatch: headers['If-Match'], find: () => store.find(caller.org, id) }
}
