import { Command } from 'commander'
import { roles } from '../auth/caller.ts'
import { openLocalKey } from '../auth/local-tokens.ts'
import { ExitError } from '../lifecycle/exit-codes.ts'
import { ownAddress } from '../lifecycle/own-address.ts'
import { linkSecondsMax, loginAddress, signLoginLink } from '../sessions/login-links.ts'
import { configOf, type ServerFlags } from './config-commands.ts'
import { serverAddress } from './import/import-command.ts'
import { parseCaller, warnWithoutServer } from './token.ts'

/** The roles of sessions. The console has nothing for a caller who can only send telemetry. */
const readingRoles = roles.filter((role) => role !== 'ingest')

interface LoginLinkOptions extends Pick<ServerFlags, 'dataDir' | 'config'> {
  readonly org: string
  readonly role: string
  readonly sub: string
  readonly url?: string
}

/** Creates the command `login-link`, which prints an address that signs a browser in once. */
export function loginLinkCommand(): Command {
  return new Command('login-link')
    .description(`Print a link that signs a browser in to the console, once and within ${linkSecondsMax / 60} minutes`)
    .requiredOption('--org <name>', 'organization; it does not have to be created first')
    .option('--role <role>', readingRoles.join(', '), 'viewer')
    .option('--sub <name>', 'subject of the session', 'me')
    .option('--url <url>', 'address of the server; PUBLIC_URL, or HOST and PORT, by default')
    .option('--config <file>', 'JSON file with the same settings as the environment')
    .option('--data-dir <directory>', 'overrides DATA_DIR')
    .action(async (options: LoginLinkOptions) => {
      process.stdout.write(`${await makeLoginLink(options)}\n`)
    })
}

/** @throws ConfigError for invalid settings; ExitError `usage` for invalid options; StoreFault for an unreadable key */
async function makeLoginLink(options: LoginLinkOptions): Promise<string> {
  const caller = parseCaller(options)
  if (caller.role === 'ingest') throw new ExitError('usage', `--role must be one of ${readingRoles.join(', ')}`)
  const config = configOf(options)
  const { auth, dataDir, publicUrl } = config
  if (auth.issuer !== undefined)
    throw new ExitError(
      'usage',
      'AUTH_ISSUER is set, so people sign in to the console through that issuer, without a link.',
    )
  const url = options.url === undefined ? (publicUrl ?? ownAddress(config)) : serverAddress(options.url)
  const link = loginAddress(url, await signLoginLink(await openLocalKey(dataDir), caller, new Date()))
  await warnWithoutServer(dataDir, 'the link')
  return link
}
