import { Command } from 'commander'
import { type Caller, orgFault, parseRole, roles, subjectFault } from '../auth/caller.ts'
import { openLocalKey, signLocalToken } from '../auth/local-tokens.ts'
import { isServerRunning } from '../backup/control-socket.ts'
import { secondsOfDuration } from '../config/parse-values.ts'
import { ExitError } from '../lifecycle/exit-codes.ts'
import { configOf, type ServerFlags } from './config-commands.ts'

export interface TokenOptions extends Pick<ServerFlags, 'dataDir' | 'config'> {
  readonly org: string
  readonly role: string
  readonly sub: string
  readonly ttl: string
}

const secondsToLiveMax = 365 * 86_400

/**
 * Creates the command `token`, which prints a JWT for the server that uses the same data directory, even before that
 * server has ever run.
 */
export function tokenCommand(): Command {
  return new Command('token')
    .description('Print a JWT for the server that uses the same data directory')
    .requiredOption('--org <name>', 'organization; it does not have to be created first')
    .option('--role <role>', roles.join(', '), 'viewer')
    .option('--sub <name>', 'subject of the token', 'me')
    .option('--ttl <time>', 'lifetime: a number followed by s, m, h or d', '1h')
    .option('--config <file>', 'JSON file with the same settings as the environment')
    .option('--data-dir <directory>', 'overrides DATA_DIR')
    .action(async (options: TokenOptions) => {
      process.stdout.write(`${await makeToken(options)}\n`)
      await warnWithoutServer(configOf(options).dataDir, 'the token')
    })
}

/** Says on standard error if no server runs that accepts `issued`. One may yet be started. */
export async function warnWithoutServer(dataDir: string, issued: string): Promise<void> {
  if (await isServerRunning(dataDir)) return
  process.stderr.write(`No server is running on ${dataDir}. Only a server with this DATA_DIR accepts ${issued}.\n`)
}

/**
 * Creates a signed token.
 * @throws ConfigError for invalid settings; ExitError `usage` for invalid options; StoreFault for a key that cannot be
 * read or created
 */
export async function makeToken(options: TokenOptions): Promise<string> {
  const caller = parseCaller(options)
  const secondsToLive = parseSeconds(options.ttl)
  const { auth, dataDir } = configOf(options)
  if (auth.issuer !== undefined) {
    throw new ExitError(
      'usage',
      `AUTH_ISSUER is set, so the server accepts only tokens of ${auth.issuer}. Get one there.`,
    )
  }
  const key = await openLocalKey(dataDir)
  return signLocalToken({ key, caller, secondsToLive, now: new Date() })
}

/**
 * Returns the caller of a token with these claims, by the rules of the server, which would refuse the token later.
 * @throws ExitError `usage` that names the invalid option
 */
export function parseCaller({ org, role, sub }: Pick<TokenOptions, 'org' | 'role' | 'sub'>): Caller {
  const orgWrong = orgFault(org)
  if (orgWrong) throw new ExitError('usage', `--org ${orgWrong}`)
  const subjectWrong = subjectFault(sub)
  if (subjectWrong) throw new ExitError('usage', `--sub ${subjectWrong}`)
  const known = parseRole(role)
  if (!known) throw new ExitError('usage', `--role must be one of ${roles.join(', ')}`)
  return { org, role: known, subject: sub }
}

function parseSeconds(ttl: string): number {
  const seconds = secondsOfDuration(ttl)
  if (!(seconds >= 1 && seconds <= secondsToLiveMax)) {
    throw new ExitError('usage', '--ttl must be a number followed by s, m, h or d, at most 365d, such as 30m, 8h or 7d')
  }
  return seconds
}
