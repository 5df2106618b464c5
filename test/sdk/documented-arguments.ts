import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../clients/README.md', import.meta.url), 'utf8')
const documentedUrl = 'http://127.0.0.1:4318'

export interface DocumentedCommand {
  /** The words in front of the arguments, such as `oapi-codegen`. */
  readonly command: string
  /** The generator with its version, as the page names it. */
  readonly generator: string
  /** The server in place of the one in the page. */
  readonly url: string
}

/** Returns the arguments of a command in `clients/README.md`. Throws if the page has no such command or generator. */
export function documentedArguments({ command, generator, url }: DocumentedCommand): readonly string[] {
  const lines = readme.replaceAll(/\\\n\s*/g, '').split('\n')
  const line = lines.find((each) => !each.startsWith('#') && ` ${each}`.includes(` ${command} `))
  if (line === undefined || !readme.includes(generator))
    throw new Error(`clients/README.md has no command ${command} of ${generator}.`)
  const words = line.slice(line.indexOf(`${command} `) + command.length).trim()
  return words.split(/\s+/).map((word) => word.replace(documentedUrl, url))
}
