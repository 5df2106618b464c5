import type { components } from '../../../openapi/types.ts'
import { collectFaults, type FieldFault, invalid, invalidFields, refused } from '../../problem/problem.ts'
import { checkName } from '../../problem/record-input.ts'
import { webhookFormats } from '../formats/formats.ts'
import type { ChannelContent, CredentialField, SealedCredential } from './channel.ts'
import type { Seal } from './credentials.ts'

/** The changed fields. Creating a channel is a change of `emptyChannel`. */
export type ChannelChange = components['schemas']['ChannelUpdate']

export const emptyChannel: ChannelContent = {
  kind: 'webhook',
  name: '',
  url: '',
  format: 'json',
  bodyTemplate: null,
  authHeader: null,
  signingSecret: null,
  disabledReason: null,
}

const signingSecretBytesMin = 24
const signingSecretBytesMax = 64

/**
 * Checks the text of each field of a change. `pointer` locates the channel in the request body.
 * @throws Problem 400 that lists every malformed field
 */
export function checkChange({ name, config = {} }: ChannelChange, pointer: string): void {
  const faults: FieldFault[] = []
  const check = (
    text: string | null | undefined,
    field: string,
    checkText: (text: string, pointer: string) => unknown,
  ) => {
    if (typeof text === 'string') collectFaults(faults, () => checkText(text, `${pointer}/${field}`))
  }
  check(name, 'name', checkName)
  check(config.url, 'config/url', checkUrl)
  check(config.auth_header, 'config/auth_header', checkAuthHeader)
  check(config.signing_secret, 'config/signing_secret', checkSigningSecret)
  if (faults.length > 0) throw invalidFields(faults)
}

/** Checks a URL. The messages never repeat it, because it often contains a credential. */
function checkUrl(text: string, pointer: string): void {
  if (/[\s\p{Cc}]/u.test(text)) {
    throw invalid(pointer, 'format', 'must not contain white space or control characters')
  }
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw invalid(pointer, 'format', 'must be an http or https URL')
  if (url.username || url.password) {
    throw invalid(pointer, 'format', 'must not contain a user name or a password; use auth_header instead')
  }
}

/**
 * Checks the value of an `Authorization` header. It is sent byte for byte, so it must not contain anything that an HTTP
 * client trims, rejects or splits.
 */
function checkAuthHeader(text: string, pointer: string): void {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return
  throw invalid(pointer, 'format', 'must be printable ASCII without leading or trailing spaces')
}

function checkSigningSecret(text: string, pointer: string): void {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  const isCanonical = bytes.toString('base64') === base64
  if (isCanonical && bytes.length >= signingSecretBytesMin && bytes.length <= signingSecretBytesMax) return
  const range = `${signingSecretBytesMin} to ${signingSecretBytesMax}`
  throw invalid(pointer, 'format', `must be "whsec_" followed by ${range} bytes in base64`)
}

/** Applies a checked change: omitted fields keep their values, and null clears a field. */
export function changeChannel(current: ChannelContent, change: ChannelChange, seal: Seal): ChannelContent {
  const { name = current.name, enabled, config = {} } = change
  const { url = current.url, format = current.format, body_template: bodyTemplate = current.bodyTemplate } = config
  const changeCredential = (field: CredentialField, kept: SealedCredential | null) => {
    const credential = config[field]
    if (credential === undefined) return kept
    return credential === null ? null : seal(field, credential)
  }
  return {
    kind: current.kind,
    name,
    url,
    format,
    bodyTemplate,
    authHeader: changeCredential('auth_header', current.authHeader),
    signingSecret: changeCredential('signing_secret', current.signingSecret),
    disabledReason: changeReason(current.disabledReason, enabled),
  }
}

/** Reports whether the URLs of two contents differ in scheme, host or port. */
export function hasOtherOrigin(current: Pick<ChannelContent, 'url'>, next: Pick<ChannelContent, 'url'>): boolean {
  return new URL(current.url).origin !== new URL(next.url).origin
}

/**
 * Refuses to send a stored `auth_header` to another origin. Otherwise a contributor, who cannot read it, could receive
 * it at a server of their own. The signing secret is kept, because requests contain only signatures.
 * @throws Problem 422
 */
export function checkOrigin(current: ChannelContent, { config = {} }: ChannelChange): void {
  const { url = current.url, auth_header: authHeader } = config
  if (current.authHeader === null || authHeader !== undefined || !hasOtherOrigin(current, { url })) return
  const message = 'A `url` with another origin requires `auth_header` again, or null to remove it.'
  throw refused('/config/auth_header', 'required', message)
}

/** Returns the new reason for being disabled. Disabling a disabled channel keeps the original reason. */
function changeReason(current: ChannelContent['disabledReason'], enabled: boolean | undefined) {
  if (enabled === undefined) return current
  return enabled ? null : (current ?? 'by_user')
}

/**
 * Checks that the format of a channel accepts the other settings of the channel.
 * @throws Problem 422
 */
export function checkFormat(content: ChannelContent, pointer: string): void {
  webhookFormats[content.format].checkSettings(content, `${pointer}/config`)
}
