import express, { type Request, type RequestHandler, type Response } from 'express'
import { invalid, problem } from '../problem/problem.ts'
import { matchedOperation, requestContext } from './request-context.ts'

/**
 * Maximum size of a body. 50 rows with the longest keys and values fit, even when JSON escapes every character to six
 * bytes.
 */
export const bodyBytesMax = 2 * 1024 * 1024

/**
 * Maximum number of objects, lists and scalars in a body. No query needs more, and the validator walks each of them.
 */
export const bodyValuesMax = 50_000

/** Maximum nesting of lists and objects. Deeper bodies would exhaust the stack of recursive code. */
export const bodyDepthMax = 64

const charsetPattern = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Reduces `Content-Type` to the bare declared media type, and removes it from requests that take no body. The validator
 * caches a compiled schema for each distinct header, so callers must not be able to create new ones.
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
    const actual = mediaType ? 'has another Content-Type' : 'has no Content-Type'
    throw problem('unsupported_media_type', `Send ${accepted}; the request ${actual}.`)
  }
  const charset = charsetPattern.exec(header)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'utf8'].includes(charset)) {
    throw problem('unsupported_media_type', `Send ${accepted} in UTF-8.`)
  }
  return mediaType
}

/** Reads the JSON body of operations that take one. The bodies of other requests are never read. */
export function readJsonBody(): RequestHandler {
  const parsers = new Map<number, RequestHandler>()
  return (request, response, next) => {
    const { requestTypes, bodyLimits } = matchedOperation(response)
    if (requestTypes.length === 0) return next()
    const limit = bodyLimits?.bytes ?? bodyBytesMax
    const parse = parsers.get(limit) ?? parserUpTo(limit)
    parsers.set(limit, parse)
    parse(request, response, next)
  }
}

function parserUpTo(limit: number): RequestHandler {
  return express.json({
    limit,
    type: 'application/json',
    // The parser returns `{}` for an empty body. `hasBody` distinguishes it from a body that contains `{}`.
    verify: (_request, response, bytes) => {
      requestContext(response as Response).hasBody = bytes.length > 0
    },
  })
}

/** Raises 400 for a missing body, and for a body that is too large or too deep for the validator to walk. */
export function limitJsonBody(): RequestHandler {
  return (request, response, next) => {
    const { requestTypes, bodyLimits } = matchedOperation(response)
    if (requestTypes.length > 0) {
      if (!requestContext(response).hasBody) throw invalid('', 'required', 'a request body is required')
      checkSize(request.body, bodyLimits?.values ?? bodyValuesMax)
    }
    next()
  }
}

function checkSize(body: unknown, valuesMax: number): void {
  let values = 0
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= bodyDepthMax) throw invalid('', 'too_deep', `must not be nested more than ${bodyDepthMax} levels deep`)
    values += level.length
    if (values > valuesMax) throw invalid('', 'too_many', `must not contain more than ${valuesMax} values`)
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
}
