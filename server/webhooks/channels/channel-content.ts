import type { components } from '../../../openapi/types.ts'
import { collectFaults } from '../../problem/collect-faults.ts'
import { type FieldFault, invalidFields, refused } from '../../problem/problem.ts'
import { checkName } from '../../problem/record-text.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { compileTemplateAt } from '../formats/template-refusal.ts'
import type { ChannelContent, SealedCredential } from './channel.ts'
import { checkAuthHeader, checkSigningSecret, checkUrl, last4Of } from './channel-fields.ts'
import type { CredentialField } from './receiver.ts'

/** The fields to change; a new channel is a change of `emptyChannel`. */
export type ChannelChange = components['schemas']['ChannelUpdate']

type ConfigChange = NonNullable<ChannelChange['config']>

export type Seal = (field: CredentialField, credential: string) => SealedCredential

export const emptyChannel: ChannelContent = {
  ...{ kind: 'webhook', name: '', url: '', format: 'json', bodyTemplate: null },
  ...{ authHeader: null, signingSecret: null, disabledReason: null },
}

/** Seals the credentials of one channel. */
export function sealFor(box: SecretBox, org: string, id: string): Seal {
  return (field, credential) => ({ sealed: box.seal(credential, { org, id, field }), last4: last4Of(credential) })
}

/**
 * Checks what is sent, where it stands in the request's body: `pointer` is the channel's own place, empty for the whole of it.
 * @throws Problem 400 with every field that is malformed
 */
export function checkChange({ name, config = {} }: ChannelChange, pointer: string): void {
  const faults: FieldFault[] = []
  const check = (text: string | null | undefined, field: string, of: (text: string, pointer: string) => unknown) => {
    if (typeof text === 'string') collectFaults(faults, () => of(text, `${pointer}/${field}`))
  }
  check(name, 'name', checkName)
  check(config.url, 'config/url', checkUrl)
  check(config.auth_header, 'config/auth_header', checkAuthHeader)
  check(config.signing_secret, 'config/signing_secret', checkSigningSecret)
  if (faults.length > 0) throw invalidFields(faults)
}

/** The channel with a checked change made: what is left out stays, null clears. */
export function changeChannel(current: ChannelContent, change: ChannelChange, seal: Seal): ChannelContent {
  const { name = current.name, enabled, config = {} } = change
  const { url = current.url, format = current.format, body_template = current.bodyTemplate } = config
  const credential = (field: CredentialField, kept: SealedCredential | null) => {
    const sent: ConfigChange[CredentialField] = config[field]
    if (sent === undefined) return kept
    return sent === null ? null : seal(field, sent)
  }
  return {
    ...{ kind: current.kind, name, url, format, bodyTemplate: body_template },
    authHeader: credential('auth_header', current.authHeader),
    signingSecret: credential('signing_secret', current.signingSecret),
    disabledReason: changeReason(current.disabledReason, enabled),
  }
}

/** Why it was disabled first is kept, until it is enabled again. */
function changeReason(current: ChannelContent['disabledReason'], enabled: boolean | undefined) {
  if (enabled === undefined) return current
  return enabled ? null : (current ?? 'by_user')
}

/** @throws Problem 422 for a template that breaks a rule, is missing, or stands beside another format */
export function checkTemplate({ format, bodyTemplate }: ChannelContent, pointer: string): void {
  const at = `${pointer}/config/body_template`
  if (format !== 'template') {
    if (bodyTemplate === null) return
    throw refused(at, 'format_not_template', 'body_template is set, so format must be template; null clears it')
  }
  if (bodyTemplate === null) throw refused(at, 'required', 'format is template, so body_template must be set')
  compileTemplateAt(at, bodyTemplate)
}
