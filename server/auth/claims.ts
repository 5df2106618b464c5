import type { JWTPayload } from 'jose'
import type { Caller } from './caller.ts'
import { parseRole } from './roles.ts'

const orgCharactersMax = 128
const subjectCharactersMax = 256

/** What cannot be seen cannot tell two names apart: control, format and surrogate characters, line and paragraph ends. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** Subjects of API keys begin so; a token that did, too, could pass for a key. */
export const keySubjectPrefix = 'key:'

/** Why a text cannot name an organization; `undefined` when it can. */
export function orgFault(org: string): string | undefined {
  return nameFault(org, orgCharactersMax)
}

/** Why a text cannot be the subject of a token; `undefined` when it can. */
export function subjectFault(subject: string): string | undefined {
  if (subject.startsWith(keySubjectPrefix)) return `must not begin with "${keySubjectPrefix}"`
  return nameFault(subject, subjectCharactersMax)
}

function nameFault(name: string, charactersMax: number): string | undefined {
  if (name === '') return 'must not be empty'
  if (name.length > charactersMax) return `must not be longer than ${charactersMax} characters`
  if (name.trim() !== name) return 'must not begin or end with a space'
  if (invisible.test(name)) return 'must not hold invisible characters'
  return undefined
}

/** The caller whom verified claims name, or `undefined` when `sub`, `org` or `role` is not what it must be. */
export function callerOfClaims({ sub, org, role }: JWTPayload): Caller | undefined {
  const knownRole = parseRole(role)
  if (knownRole === undefined || typeof sub !== 'string' || typeof org !== 'string') return undefined
  if (subjectFault(sub) ?? orgFault(org)) return undefined
  return { org, role: knownRole, subject: sub }
}
