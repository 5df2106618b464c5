import type { RequestListener } from 'node:http'

/** The part of a target in absolute form that precedes its path, and the host in it. */
const originOfAbsoluteForm = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#@]*)/i

/**
 * Takes a request target in absolute form, which clients send that take the server for a proxy, for its path and query,
 * and its host in place of the header `Host` (RFC 9112, section 3.2.2). The listener never sees the form: Express would
 * parse it by a function that warns of invalid hosts and is to throw for them, and the validator does not read it.
 */
export function takeOriginForm(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { url = '' } = request
    const [origin = '', host] = originOfAbsoluteForm.exec(url) ?? []
    if (host !== undefined) {
      const target = url.slice(origin.length)
      request.url = target.startsWith('/') ? target : `/${target}`
      if (host !== '') request.headers.host = host
    }
    listener(request, response)
  }
}
