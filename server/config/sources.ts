import { readFileSync } from 'node:fs'
import { nearestName } from '#sql'
import type { Setting } from './setting.ts'
import { type SettingName, settingNames, settings } from './settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Command-line flags, as commander returns them. */
export interface Flags {
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly grpcPort?: string | undefined
  readonly dataDir?: string | undefined
}

export interface SettingTexts {
  readonly texts: ReadonlyMap<SettingName, string>
  readonly faults: readonly string[]
}

/**
 * Returns the text of every setting that is set: flags take precedence over the environment, and the environment over
 * the file. An empty text counts as unset, because compose files and unit files pass unset variables as empty ones.
 */
export function readSettingTexts(env: Env, file: string | undefined, flags: Flags): SettingTexts {
  const faults: string[] = []
  const fromFile = file ? readConfigFile(file, faults) : {}
  const texts = new Map<SettingName, string>()
  for (const name of settingNames) {
    const { flag }: Setting = settings[name]
    const flagText = flag && flags[flag]
    const value = flagText || readFrom(env, name, faults) || readFrom(fromFile, name, faults)
    if (value) texts.set(name, value)
  }
  return { texts, faults }
}

/** Reads a setting, or the file that `<NAME>_FILE` names, which is how container platforms mount secrets. */
function readFrom(source: Env, name: SettingName, faults: string[]): string | undefined {
  const own = source[name]
  const path = mayStandInFile(name) && source[`${name}_FILE`]
  if (!path) return own
  if (own) {
    faults.push(`${name} and ${name}_FILE are both set; set only one`)
    return undefined
  }
  try {
    const content = readFileSync(path, 'utf8').trim()
    if (content === '') faults.push(`${name}_FILE names an empty file: ${path}`)
    return content
  } catch (error) {
    faults.push(`${name}_FILE cannot be read: ${reasonOf(error)}`)
    return undefined
  }
}

function mayStandInFile(name: SettingName): boolean {
  const { inFile }: Setting = settings[name]
  return inFile === true
}

/**
 * Reads the settings file: a JSON object whose keys are the names of environment variables. Values are texts, numbers
 * or lists of texts.
 */
function readConfigFile(path: string, faults: string[]): Env {
  const content = parseJsonObject(path, faults)
  const known = new Set<string>(
    settingNames.flatMap((name) => (mayStandInFile(name) ? [name, `${name}_FILE`] : [name])),
  )
  const source: Record<string, string> = {}
  for (const [name, value] of Object.entries(content)) {
    const textValue = textOf(value)
    if (!known.has(name)) {
      const meant = nearestName(name, [...known])
      const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`
      faults.push(`${path}: unknown setting ${JSON.stringify(name)}${suggestion}`)
    } else if (textValue === undefined) faults.push(`${path}: ${name} must be a string, a number or a list of strings`)
    else source[name] = textValue
  }
  return source
}

function parseJsonObject(path: string, faults: string[]): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
    faults.push(`${path}: the settings file must contain one JSON object`)
  } catch (error) {
    // The message of a JSON error quotes the file, which may contain secrets.
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : reasonOf(error)
    faults.push(`${path}: the settings file cannot be read: ${reason}`)
  }
  return {}
}

function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
  return undefined
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
