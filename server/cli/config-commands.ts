import { type Config, readProcessConfig, redactConfig } from '../config/config.ts'
import type { ServeFlags } from './serve-command.ts'

/** Throws ConfigError with every fault; says so when there is none. */
export function checkConfig(flags: ServeFlags, stdout: NodeJS.WritableStream): void {
  configOf(flags)
  stdout.write('The settings are valid.\n')
}

/** JSON, as the server reads them; secrets are replaced. */
export function printConfig(flags: ServeFlags, stdout: NodeJS.WritableStream): void {
  stdout.write(`${JSON.stringify(redactConfig(configOf(flags)), undefined, 2)}\n`)
}

export function configOf({ config: file, ...flags }: ServeFlags): Config {
  return readProcessConfig({ flags, ...(file === undefined ? {} : { file }) })
}
