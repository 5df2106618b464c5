import { assembleConfig } from './assemble-config.ts'
import type { Config } from './config.ts'
import { misspelledSettings } from './misspelled-settings.ts'
import { addressesIn } from './parse-values.ts'
import type { Setting } from './setting.ts'
import { type SettingName, type SettingValues, settingNames, settings } from './settings.ts'
import { type Env, type Flags, readSettingTexts } from './sources.ts'

export interface ConfigOptions {
  /** Path of a JSON file with the same settings. Takes precedence over CONFIG_FILE of the environment. */
  readonly file?: string | undefined
  readonly flags?: Flags | undefined
}

/** The settings are invalid. The message lists every fault, one per line. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads flags, environment and file, in this order of precedence.
 * @throws ConfigError, which lists every fault
 */
export function readConfig(env: Env, { file = env.CONFIG_FILE, flags = {} }: ConfigOptions = {}): Config {
  const { texts, faults: sourceFaults } = readSettingTexts(env, file, flags)
  const { values, faults: valueFaults } = parseTexts(texts)
  const faults = [...sourceFaults, ...valueFaults, ...faultsAcross(texts, values)]
  if (faults.length > 0) throw new ConfigError(faults)
  return freeze(assembleConfig(values))
}

/** Reads the settings of the running process. */
export function readProcessConfig(options: ConfigOptions = {}): Config {
  return readConfig(process.env, options)
}

/** Returns a warning for each variable of the process that is probably a misspelled setting. */
export function misspelledProcessSettings(): readonly string[] {
  return misspelledSettings(process.env)
}

/** Returns the effective settings of the running process, to be printed. */
export function effectiveProcessSettings(options: ConfigOptions): ReturnType<typeof effectiveSettings> {
  return effectiveSettings(process.env, options)
}

/** Returns what systemd says about its journal to the services that it starts. */
export function journalStreamOfProcess(): string | undefined {
  return process.env.JOURNAL_STREAM
}

function parseTexts(texts: ReadonlyMap<SettingName, string>): { values: SettingValues; faults: string[] } {
  const faults: string[] = []
  const values: Partial<Record<SettingName, unknown>> = {}
  for (const name of settingNames) {
    const text = texts.get(name) ?? settings[name].default
    try {
      if (text !== undefined) values[name] = settings[name].parse(text)
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  // The values are used only if there is no fault; every name then has a value of the type that its parser returns.
  return { values: values as SettingValues, faults }
}

/**
 * Lists faults that concern several settings. A setting without effect is a fault, because an operator may rely on it.
 */
function faultsAcross(texts: ReadonlyMap<SettingName, string>, { PORT, GRPC_PORT }: Partial<SettingValues>): string[] {
  // 0 selects a free port for each.
  const faults = PORT && PORT === GRPC_PORT ? [`PORT and GRPC_PORT are both ${PORT}`] : []
  const needs = (name: SettingName, needed: SettingName) => {
    if (texts.has(name) && !texts.has(needed)) faults.push(`${name} has no effect without ${needed}`)
  }
  needs('CLICKHOUSE_USER', 'CLICKHOUSE_URL')
  needs('CLICKHOUSE_PASSWORD', 'CLICKHOUSE_URL')
  needs('CLICKHOUSE_CLUSTER', 'CLICKHOUSE_URL')
  if (addressesIn(texts.get('CLICKHOUSE_URL') ?? '').length > 1 && !texts.has('CLICKHOUSE_CLUSTER'))
    faults.push('CLICKHOUSE_URL names several nodes, which requires CLICKHOUSE_CLUSTER')
  needs('TLS_CERT_FILE', 'TLS_KEY_FILE')
  needs('TLS_KEY_FILE', 'TLS_CERT_FILE')
  needs('AUTH_AUDIENCE', 'AUTH_ISSUER')
  needs('AUTH_JWKS_URL', 'AUTH_ISSUER')
  needs('AUTH_PUBLIC_KEY', 'AUTH_ISSUER')
  needs('AUTH_CLIENT_ID', 'AUTH_ISSUER')
  needs('AUTH_CLIENT_SECRET', 'AUTH_CLIENT_ID')
  if (!texts.has('AUTH_ISSUER')) return faults
  if (!texts.has('AUTH_AUDIENCE')) faults.push('AUTH_ISSUER requires AUTH_AUDIENCE')
  const keySources = Number(texts.has('AUTH_JWKS_URL')) + Number(texts.has('AUTH_PUBLIC_KEY'))
  const issuer = texts.get('AUTH_ISSUER') ?? ''
  if (texts.has('AUTH_CLIENT_ID') && !(/^https?:\/\//.test(issuer) && URL.canParse(issuer)))
    faults.push('AUTH_ISSUER must be a URL that starts with http:// or https:// with AUTH_CLIENT_ID')
  if (keySources !== 1) faults.push('AUTH_ISSUER requires exactly one of AUTH_JWKS_URL and AUTH_PUBLIC_KEY')
  return faults
}

/**
 * Returns the effective text of every setting under the name that it has in the environment and in the settings file;
 * null for one that is unset. Secrets are redacted, including a password in an address.
 * @throws ConfigError, which lists every fault
 */
export function effectiveSettings(
  env: Env,
  { file = env.CONFIG_FILE, flags = {} }: ConfigOptions = {},
): Readonly<Record<string, string | null>> {
  readConfig(env, { file, flags })
  const { texts } = readSettingTexts(env, file, flags)
  return Object.fromEntries(
    settingNames.map((name) => {
      const { default: value, redact }: Setting = settings[name]
      const text = texts.get(name) ?? value
      return [name, text === undefined ? null : (redact?.(text) ?? text)]
    }),
  )
}

function freeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) freeze(member)
  return Object.freeze(value)
}
