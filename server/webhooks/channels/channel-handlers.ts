import type { Deps } from '../../feature.ts'
import type { HandlerRequest, Handlers } from '../../http/contract/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { deleteRecord, updateRecord } from '../../metadata/edit-record.ts'
import { type AlertRulesOf, refuseIfUsedByAlertRules } from '../../metadata/used-by-alert-rules.ts'
import { notFound, raise } from '../../problem/problem.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { toChannelRecord } from './channel.ts'
import { changeChannel, checkChange, checkFormat, checkOrigin, emptyChannel } from './channel-content.ts'
import type { ChannelStore } from './channel-store.ts'
import { newSigningSecret, sealFor } from './credentials.ts'
import { type AddressPolicy, refuseInternalAddress } from './receiver-address.ts'

export interface ChannelHandlerDeps extends Pick<Deps, 'metadata' | 'newId'> {
  readonly store: ChannelStore
  readonly box: SecretBox
  readonly allows: AddressPolicy
  readonly alertRulesOf: AlertRulesOf
}

type ChannelOperations = 'listChannels' | 'createChannel' | 'getChannel' | 'updateChannel' | 'deleteChannel'

export function channelHandlers(deps: ChannelHandlerDeps): Handlers<ChannelOperations> {
  const { store, metadata, alertRulesOf } = deps
  return {
    listChannels: (request) => listChannels(store, request),
    createChannel: (request) => createChannel(deps, request),
    async getChannel({ caller, path: { id } }) {
      const found = (await store.find({ org: caller.org }, id)) ?? raise(notFound('channel', id))
      return { status: 200, body: toChannelRecord(found, caller) }
    },
    async updateChannel(request) {
      const {
        caller,
        body,
        path: { id },
        headers,
      } = request
      const seal = sealFor(deps.box, caller.org, id)
      checkChange(body, '')
      if (body.config?.url !== undefined) refuseInternalAddress(body.config.url, deps.allows, '/config/url')
      const stored = await updateRecord(store, { author: request, id, ifMatch: headers['If-Match'] }, (current) => {
        checkOrigin(current, body)
        const content = changeChannel(current, body, seal)
        checkFormat(content, '')
        return content
      })
      // A change ends the failing period, after the statement that returns the record.
      return { status: 200, body: toChannelRecord({ ...stored, failingSince: null }, caller) }
    },
    async deleteChannel(request) {
      const {
        caller: { org },
        path: { id },
        headers,
      } = request
      await deleteRecord(store, { author: request, id, ifMatch: headers['If-Match'] }, ({ name }) =>
        refuseIfUsedByAlertRules(alertRulesOf, metadata.db, { org, id, noun: store.noun, name }),
      )
      return { status: 204 }
    },
  }
}

async function listChannels(store: ChannelStore, { caller, query }: HandlerRequest<'listChannels'>) {
  const page = await readNewest(['channels', caller.org], query, (newest) => store.list({ org: caller.org }, newest))
  const items = page.items.map((channel) => toChannelRecord(channel, caller))
  return { status: 200 as const, body: { ...page, items } }
}

/**
 * Creates a channel. Generates the signing secret if the request omits it; only this response shows it, for the
 * receiver.
 */
async function createChannel(
  { store, box, allows, newId }: ChannelHandlerDeps,
  request: HandlerRequest<'createChannel'>,
) {
  const { caller, body } = request
  checkChange(body, '')
  const id = newId()
  const generated = body.config.signing_secret === undefined ? newSigningSecret() : undefined
  const change = generated === undefined ? body : { ...body, config: { ...body.config, signing_secret: generated } }
  const content = changeChannel(emptyChannel, change, sealFor(box, caller.org, id))
  checkFormat(content, '')
  refuseInternalAddress(content.url, allows, '/config/url')
  const record = toChannelRecord(await store.insert(request, content, id), caller)
  const headers = { Location: `/api/v1/alerting/channels/${id}` }
  return { status: 201 as const, headers, body: { ...record, ...(generated && { signing_secret: generated }) } }
}
