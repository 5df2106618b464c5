import type { RequestHandler } from 'express'

const originOfAbsoluteForm = /^https?:\/\/([^/?#@]+)/i

/**
 * Takes a request target in absolute form, which clients send that take the server for a proxy, for its path and query,
 * and its host in place of the header `Host` (RFC 9112, section 3.2.2). Express reads the form itself; the validator of
 * requests, which reads `originalUrl`, does not.
 */
export const takeOriginForm: RequestHandler = (request, _response, next) => {
  const [origin = '', host] = originOfAbsoluteForm.exec(request.originalUrl) ?? []
  if (host !== undefined) {
    const target = request.originalUrl.slice(origin.length)
    request.originalUrl = target.startsWith('/') ? target : `/${target}`
    request.headers.host = host
  }
  next()
}
