import { InvalidQuery } from '../../sql/index.ts'
import { invalid, Problem, problem } from '../problem/problem.ts'
import { invalidRequest } from './request-faults.ts'

/** What the layers under the handlers throw: express-openapi-validator, the body parser, the router. */
interface LayerError extends Error {
  readonly status?: number
  /** The body parser's name of the fault. */
  readonly type?: string
  readonly errors?: readonly { readonly path: string; readonly message?: string; readonly errorCode?: string }[]
  readonly headers?: Readonly<Record<string, string>>
  /** The body parser's limit, in bytes. */
  readonly limit?: number
}

const bodyProblems: Readonly<Record<string, (error: LayerError) => Problem>> = {
  'entity.parse.failed': () => invalid('', 'malformed_json', 'the body is not a JSON object or list'),
  'entity.too.large': ({ limit }) => problem('payload_too_large', `The request body is larger than ${limit} bytes.`),
  'encoding.unsupported': () =>
    problem('unsupported_media_type', 'Send the body as it is or with gzip, deflate or br.'),
  'charset.unsupported': () => problem('unsupported_media_type', 'Send the body in UTF-8.'),
  'request.size.invalid': () => invalid('', 'malformed_body', 'the body does not have the length that was announced'),
}

/**
 * The problem that a thrown value is told as, or undefined when it is the server's own fault. `body` is the request's body.
 */
export function toProblem(error: unknown, body: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return undefined
  if (error instanceof InvalidQuery) return problem('invalid_request', error.message, { errors: error.faults })
  const { type, status, errors, headers } = error as LayerError
  if (type !== undefined && bodyProblems[type]) return bodyProblems[type](error)
  switch (status) {
    case 400:
      if (error instanceof URIError) return malformedPath()
      return errors === undefined ? malformedBody() : readFaults(errors, body)
    case 404:
      return problem('not_found', 'There is nothing at this path.')
    case 405:
      return methodNotAllowed(headers?.Allow ?? '')
    case 413:
      return problem('payload_too_large', 'The request is too large.')
    case 415:
      return problem('unsupported_media_type', 'The request body has a type or encoding that is not supported.')
    default:
      return undefined
  }
}

/** The validator tells a path that cannot be decoded like any other fault, with the path itself in the place of a pointer. */
function readFaults(errors: NonNullable<LayerError['errors']>, body: unknown): Problem {
  const isOfPath = errors.some(({ path, errorCode }) => errorCode === undefined && !path.startsWith('/query/'))
  return isOfPath ? malformedPath() : invalidRequest(errors, body)
}

/** It cannot be inflated, or it ends early. */
function malformedBody(): Problem {
  return invalid('', 'malformed_body', 'the body cannot be read')
}

function malformedPath(): Problem {
  return invalid('#/path', 'malformed_path', 'the path is not percent-encoded UTF-8')
}

/** `allow` lists the methods that the path has; HEAD comes with GET. */
export function methodNotAllowed(allow: string): Problem {
  const methods = allow.split(', ').flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return problem('method_not_allowed', `This path takes ${methods.join(', ')}.`, {
    headers: { Allow: methods.join(', ') },
  })
}
