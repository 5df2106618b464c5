import type { Request, RequestHandler } from 'express'
import { problem } from '../problem/problem.ts'
import { matchedOperation } from './request-state.ts'

const charsetPattern = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Leaves the bare media type of a declared request body in `Content-Type`, and nothing where no body is taken. The validator
 * keeps a compiled schema for each distinct header it meets, so a caller must not be able to make new ones.
 * Raises 415 for any other type, and for text that is not UTF-8.
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
  const wanted = requestTypes.join(' or ')
  if (!requestTypes.includes(mediaType)) {
    throw problem(
      'unsupported_media_type',
      `Send ${wanted}; this request names ${mediaType ? 'another type' : 'no type'}.`,
    )
  }
  const charset = charsetPattern.exec(header)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'utf8'].includes(charset)) {
    throw problem('unsupported_media_type', `Send ${wanted} in UTF-8.`)
  }
  return mediaType
}
