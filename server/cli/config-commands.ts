import type { Config } from '../config/config.ts'
import { effectiveProcessSettings, misspelledProcessSettings, readProcessConfig } from '../config/read-config.ts'
import type { Flags } from '../config/sources.ts'

/** Command-line flags that override settings. */
export interface ServerFlags extends Flags {
  /** Path of the settings file. */
  readonly config?: string | undefined
}

/** Reads the settings of a command. @throws ConfigError, which lists every fault */
export function configOf({ config: file, ...flags }: ServerFlags): Config {
  return readProcessConfig({ flags, file })
}

/**
 * Reports that the settings are valid, and which variables have no effect.
 * @throws ConfigError, which lists every fault
 */
export function checkConfig(flags: ServerFlags, stdout: NodeJS.WritableStream): void {
  configOf(flags)
  for (const warning of misspelledProcessSettings()) stdout.write(`${warning}\n`)
  stdout.write('The settings are valid.\n')
}

/** Prints the effective settings as a settings file (CONFIG_FILE), with secrets redacted. */
export function printConfig({ config: file, ...flags }: ServerFlags, stdout: NodeJS.WritableStream): void {
  const settings = effectiveProcessSettings({ flags, file })
  stdout.write(`${JSON.stringify(settings, undefined, 2)}\n`)
}
