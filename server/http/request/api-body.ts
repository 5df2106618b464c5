import express, { type NextFunction, type Request, type RequestHandler } from 'express'
import { incomingBody, watchBody } from '../../admission/body-deadline.ts'
import type { ReceiveLimits } from '../../config/config.ts'
import { invalid, invalidFields, type Problem, problem } from '../../problem/problem.ts'
import { bodyBytesMax, parseJsonBody } from './json-body.ts'
import { matchedOperation } from './request-context.ts'

/**
 * Maximum number of pieces in which a body may arrive. Each takes some hundred bytes until the body is complete, so one
 * of two mebibytes in single bytes would take almost a gibibyte.
 */
const bodyPiecesMax = 100_000

const charsetPattern = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Reduces `Content-Type` to the bare declared media type, and removes it from requests that take no body.
 * Raises 415 for any other type and for text that is not UTF-8.
 */
export function canonicalizeMediaType(): RequestHandler {
  return (request, response, next) => {
    const { requestTypes } = matchedOperation(response)
    if (requestTypes.length === 0) delete request.headers['content-type']
    else request.headers['content-type'] = declaredMediaType(request, requestTypes)
    next()
  }
}

function declaredMediaType(request: Request, requestTypes: readonly string[]): string {
  const header = request.headers['content-type'] ?? ''
  const mediaType = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const accepted = requestTypes.join(' or ')
  if (!requestTypes.includes(mediaType)) {
    const actual = mediaType ? `has the Content-Type ${JSON.stringify(mediaType.slice(0, 100))}` : 'has no Content-Type'
    throw problem('unsupported_media_type', `Send ${accepted}; the request ${actual}.`)
  }
  const charset = charsetPattern.exec(header)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'utf8'].includes(charset)) {
    throw problem('unsupported_media_type', `Send ${accepted} in UTF-8.`)
  }
  return mediaType
}

/**
 * Reads the body of operations that take one, as bytes. The bodies of other requests are never read. Raises 408 for a
 * body that does not arrive in time.
 */
export function readBodyBytes(limits: ReceiveLimits): RequestHandler {
  const readers = new Map<number, RequestHandler>()
  return (request, response, next) => {
    const { requestTypes, bodyLimits } = matchedOperation(response)
    if (requestTypes.length === 0) return next()
    const limit = bodyLimits?.bytes ?? bodyBytesMax
    const read = readers.get(limit) ?? readJsonBytes(limits, limit)
    readers.set(limit, read)
    read(request, response, next)
  }
}

/**
 * Reads a JSON body of at most `bytesMax`, as bytes. Raises 408 if it does not arrive in time, and
 * 400 if it arrives in too many pieces.
 */
export function readJsonBytes(limits: ReceiveLimits, bytesMax: number = bodyBytesMax): RequestHandler {
  const read = express.raw({ limit: bytesMax, type: 'application/json' })
  return (request, response, next) => {
    const { headers } = request
    // Both are names of one coding (RFC 9110, section 8.4.1.3).
    if (headers['content-encoding']?.trim().toLowerCase() === 'x-gzip') headers['content-encoding'] = 'gzip'
    read(request, response, onceInTime(request, limits, next))
  }
}

/**
 * Returns `next` for the reader of a body, which is called with a problem instead if the body is late or arrives in too
 * many pieces.
 */
function onceInTime(request: Request, limits: ReceiveLimits, next: NextFunction): NextFunction {
  let done = false
  const once = (error?: unknown) => {
    if (done) return
    done = true
    stop()
    request.off('data', count)
    next(error)
  }
  const stop = watchBody(incomingBody(request), limits, once)
  let pieces = 0
  const count = () => {
    if (++pieces > bodyPiecesMax) once(tooManyPieces())
  }
  request.on('data', count)
  return once
}

/** Returns the 400 for a body in very small pieces. It closes the connection, because the rest is not read. */
function tooManyPieces(): Problem {
  const message = `arrives in more than ${bodyPiecesMax} pieces; send larger chunks`
  return invalidFields([{ pointer: '', code: 'malformed_body', message }], { headers: { Connection: 'close' } })
}

/** Replaces the bytes of the body by the value of their JSON. Raises 400 for a missing or invalid body. */
export function parseBody(): RequestHandler {
  return async (request, response, next) => {
    const { requestTypes, bodyLimits } = matchedOperation(response)
    if (requestTypes.length > 0) {
      const bytes: unknown = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid('', 'required', 'is required')
      request.body = await parseJsonBody(bytes, bodyLimits)
    }
    next()
  }
}
