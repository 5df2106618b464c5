import type { JWTPayload } from 'jose'

/** Roles from least to most privileged, except `ingest`, which can only send telemetry. */
export type Role = 'restricted' | 'viewer' | 'contributor' | 'admin' | 'ingest'

/** The authenticated sender of a request. Only `authenticate` creates one. */
export interface Caller {
  readonly org: string
  readonly role: Role
  /** The `sub` claim of a JWT, or `key:<id>` for an API key. */
  readonly subject: string
  /** The name of the API key; absent for a token. */
  readonly apiKeyName?: string
}

/** For each role that an operation can require, the roles that satisfy it. `ingest` is not part of the hierarchy. */
const allowed: Readonly<Record<Role, readonly Role[]>> = {
  restricted: ['restricted', 'viewer', 'contributor', 'admin'],
  viewer: ['viewer', 'contributor', 'admin'],
  contributor: ['contributor', 'admin'],
  admin: ['admin'],
  ingest: ['ingest', 'contributor', 'admin'],
}

export const roles = Object.keys(allowed) as readonly Role[]

/** Reports whether `role` satisfies the `required` role of an operation. Sending telemetry requires `ingest`. */
export function roleAllows(role: Role, required: Role): boolean {
  return allowed[required].includes(role)
}

/** Returns the role that a claim or command-line option names. `editor` is a former name of `contributor`. */
export function parseRole(text: unknown): Role | undefined {
  return text === 'editor' ? 'contributor' : roles.find((role) => role === text)
}

const orgCharactersMax = 128
const subjectCharactersMax = 256

/** Control, format and surrogate characters and line separators: names that differ only in these look identical. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** The prefix of the subjects of API keys. Tokens must not use it, or they could pass for a key. */
export const keySubjectPrefix = 'key:'

/** Returns why a text is not a valid organization name, or `undefined` when it is valid. */
export function orgFault(org: string): string | undefined {
  return nameFault(org, orgCharactersMax)
}

/** Returns why a text is not a valid subject of a token, or `undefined` when it is valid. */
export function subjectFault(subject: string): string | undefined {
  if (subject.startsWith(keySubjectPrefix)) return `must not begin with "${keySubjectPrefix}"`
  return nameFault(subject, subjectCharactersMax)
}

function nameFault(name: string, charactersMax: number): string | undefined {
  if (name === '') return 'must not be empty'
  if (name.length > charactersMax) return `must not be longer than ${charactersMax} characters`
  if (name.trim() !== name) return 'must not begin or end with a space'
  if (invisible.test(name)) return 'must not contain invisible characters'
  return undefined
}

/** Returns the caller that verified claims identify, or a sentence that says which claim is invalid. */
export function callerOfClaims({ sub, org, role }: JWTPayload): Caller | string {
  const knownRole = parseRole(role)
  if (knownRole === undefined) return `The claim "role" of the token must be one of ${roles.join(', ')}.`
  if (typeof sub !== 'string' || typeof org !== 'string') return 'The claims "sub" and "org" must be strings.'
  const subjectWrong = subjectFault(sub)
  if (subjectWrong !== undefined) return `The claim "sub" of the token ${subjectWrong}.`
  const orgWrong = orgFault(org)
  if (orgWrong !== undefined) return `The claim "org" of the token ${orgWrong}.`
  return { org, role: knownRole, subject: sub }
}
