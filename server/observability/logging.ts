import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DestinationStream, type Logger, pino, type SerializedError, stdSerializers } from 'pino'
import { type HttpLogger, pinoHttp } from 'pino-http'
import { isTemporary, Problem } from '../problem/problem.ts'
import { redacted } from '../secrets/secret-box.ts'

export type { Logger }

export interface LoggingOptions {
  readonly level: string
  /** The destination of log lines; standard output by default. */
  readonly destination?: DestinationStream
}

/** Names of fields that contain secrets. They are redacted down to the depth of the objects that this server logs. */
const secretFields = ['authorization', 'token', 'apiKey', 'password', 'secretsKey', 'secret', 'privateKey']

/**
 * Patterns of secrets in texts: a bearer credential, an API key, a password in an address. They are needed because
 * error messages of libraries are plain texts without field names. Callers determine parts of every line, such as the
 * path, so each pattern takes linear time.
 */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${redacted}`],
  [/\btf_[\w-]{8,}/g, redacted],
  [/(\w:\/\/)[^\s/@"]+@/g, `$1${redacted}@`],
]

/** Texts of the characters that a compact JWT consists of. */
const tokenTexts = /[\w.-]+/g

/** Returns the text with every credential in it redacted. */
export function redactText(text: string): string {
  const withoutTokens = text.replace(tokenTexts, redactToken)
  return secretTexts.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), withoutTokens)
}

/**
 * Redacts a compact JWT: a header that begins with `{"` in base64, and two further parts. A pattern of the whole token
 * would take quadratic time, because it can begin anywhere in a text without dots.
 */
function redactToken(text: string): string {
  const start = text.indexOf('eyJ')
  if (start < 0) return text
  const isToken = text.slice(start).split('.', 3).length === 3
  return isToken ? text.slice(0, start) + redacted : text
}

function redactPaths(): string[] {
  return secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
}

/**
 * Creates a logger that writes JSON lines with ISO timestamps. It redacts secrets by field name, and by pattern in
 * every finished line.
 */
export function createLogger({ level, destination }: LoggingOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactPaths(), censor: redacted },
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: stdSerializers.wrapErrorSerializer(describeError) },
    hooks: { streamWrite: redactText },
  }
  return pino(options, destination ?? standardOutput())
}

/** The characters of lines that are kept while standard output cannot be written, and written when it can. */
const keptCharactersMax = 2 ** 24

/**
 * Returns standard output. If it cannot be written, such as a file on a full disk, the server goes on, and lines beyond
 * `keptCharactersMax` are lost.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: keptCharactersMax })
  let isFailing = false
  output.on('error', () => {
    isFailing = true
  })
  output.on('write', () => {
    isFailing = false
  })
  output.on('drop', () => output.flush())
  // Pino calls this at the exit and after a fatal error. It repeats a write that fails until it succeeds, and blocks.
  const flush = output.flushSync.bind(output)
  output.flushSync = () => {
    if (!isFailing) flush()
  }
  return output
}

/**
 * Serializes an error. Of its additional fields only the code is kept, because others may contain requests with
 * headers, or values of a query. A temporary problem has no stack: nothing is wrong where this server threw it, and an
 * outage has as many lines as there are requests.
 */
function describeError({ type, message, stack, code, raw }: SerializedError): object {
  const isExpected = raw instanceof Problem && isTemporary(raw)
  return { type, message, ...(isExpected ? {} : { stack }), code }
}

const requestIdPattern = /^[\w.:-]{1,128}$/

/**
 * Returns the caller's `X-Request-Id` if it is well-formed, and otherwise a new id, so that hostile text does not reach
 * the log.
 */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
}

/**
 * Gives every request an id (`req.id`, returned as `X-Request-Id`), a logger (`req.log`), and one log line at its end,
 * with the name of the operation where `operationOf` knows it then.
 */
export function createRequestLogger(
  logger: Logger,
  operationOf: (response: ServerResponse) => string | undefined = () => undefined,
): HttpLogger {
  const named = (response: ServerResponse, fields: object) => {
    const operation = operationOf(response)
    return operation === undefined ? fields : { ...fields, operation }
  }
  // Where a response of status 500 or more has no error, pino-http makes one, with a stack of its own.
  const withoutMadeError = ({ err: error }: ServerResponse, { err, ...fields }: { readonly err?: Error }) =>
    error === undefined ? fields : { ...fields, err }
  return pinoHttp({
    logger,
    genReqId(request, response) {
      const id = requestIdOf(request)
      response.setHeader('X-Request-Id', id)
      return id
    },
    // Probes and scrapes arrive every few seconds and are not worth logging.
    autoLogging: { ignore: (request) => /^\/(healthz|readyz|metrics)\b/.test(request.url ?? '') },
    customSuccessObject: (_request, response, fields: object) => named(response, fields),
    customErrorObject: (_request, response, _error, fields) => named(response, withoutMadeError(response, fields)),
    customLogLevel: (_request, response, error) => levelOf(response, error),
    serializers: {
      // Query strings contain attribute keys and cursors, which may be confidential. The path identifies the operation.
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: shortened(request.url.split('?', 1)[0] as string),
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: describeError,
    },
    wrapSerializers: true,
  })
}

/** Maximum length of a logged path. Anyone can send one of 64 KiB, and log collectors split long lines. */
const pathCharactersMax = 2_000

function shortened(path: string): string {
  return path.length <= pathCharactersMax ? path : `${path.slice(0, pathCharactersMax)}…`
}

function levelOf(response: ServerResponse, error: Error | undefined): 'error' | 'warn' | 'info' {
  if (response.statusCode > 500) return 'warn'
  return error !== undefined || response.statusCode === 500 ? 'error' : 'info'
}
