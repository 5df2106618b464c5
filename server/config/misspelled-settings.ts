import { editsBetween } from '#sql'
import { settingNames } from './settings.ts'
import type { Env } from './sources.ts'

/** Shorter names are too near to variables of other programs. */
const comparedCharactersMin = 8
const editsMax = 2

/** Variables of OpenSSL, which machines behind a proxy with a certificate of its own set for every program. */
const foreign = ['SSL_CERT_FILE', 'SSL_CERT_DIR']

/**
 * Returns a warning for each variable of the environment that is no setting but looks like one: in another case, with
 * the name of the program in front, or misspelled. It would otherwise be ignored without a word.
 */
export function misspelledSettings(env: Env): readonly string[] {
  const known = new Set<string>(settingNames.flatMap((name) => [name, `${name}_FILE`]))
  return Object.entries(env).flatMap(([variable, value]) => {
    // Kubernetes sets TRACEFOLD_PORT for a service of that name.
    const isForeign = known.has(variable) || foreign.includes(variable) || value?.startsWith('tcp://')
    const meant = isForeign ? undefined : settingNames.find((name) => isLike(variable, name))
    return meant === undefined ? [] : [`The variable ${variable} has no effect; did you mean ${meant}?`]
  })
}

function isLike(variable: string, setting: string): boolean {
  const name = variable.toUpperCase().replaceAll('-', '_')
  if (name === `TRACEFOLD_${setting}`) return true
  if (setting.length < comparedCharactersMin || Math.abs(name.length - setting.length) > editsMax) return false
  return editsBetween(name, setting) <= editsMax
}
