import { Pool } from 'undici'

/** A client of the server over persistent connections. It throws unless a response is successful. */
export interface Api {
  get<Body>(path: string): Promise<Body>
  post<Body>(path: string, body: object): Promise<Body>
  close(): Promise<void>
}

/** A client that can also read responses of any size. */
export interface DownloadingApi extends Api {
  /** Reads a response to its end without holding it. A GET without a body, otherwise a POST. */
  download(path: string, body?: object): Promise<Download>
}

/** A client that can also store telemetry. */
export interface SendingApi extends DownloadingApi {
  /** Sends an OTLP body in protobuf. Resolves when all of its records are stored. */
  sendOtlp(path: `/v1/${string}`, body: Buffer): Promise<void>
  sendSpans(body: Buffer): Promise<void>
}

export interface Download {
  /** Before compression. */
  readonly bytes: number
  readonly lines: number
  /** The most memory that this process, which includes the server, had in use when a part arrived. */
  readonly rssBytesMax: number
  /** The last characters of the response. */
  readonly end: string
}

const endCharacters = 100
const newline = 10

/** More than the number of concurrent clients of any section. */
const connectionsMax = 32

export function openApi(url: string, token: string): SendingApi {
  const pool = new Pool(url, { connections: connectionsMax })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = (method: 'GET' | 'POST', path: string, body?: object) => {
    const sent = body === undefined ? null : JSON.stringify(body)
    return pool.request({ method, path: `/api/v1${path}`, headers, body: sent })
  }
  const ask = async <Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> => {
    const answer = await send(method, path, body)
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text) as Body
  }
  const sendOtlp = async (path: `/v1/${string}`, body: Buffer) => {
    const sent = { ...headers, 'content-type': 'application/x-protobuf' }
    const answer = await pool.request({ method: 'POST', path, headers: sent, body })
    const refusal = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode !== 200 || refusal.length > 0) throw new Error(`${path}: ${answer.statusCode} ${refusal}`)
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    sendOtlp,
    sendSpans: (body) => sendOtlp('/v1/traces', body),
    async download(path, body) {
      const answer = await send(body === undefined ? 'GET' : 'POST', path, body)
      const found = { bytes: 0, lines: 0, rssBytesMax: 0, end: '' }
      for await (const part of answer.body as AsyncIterable<Buffer>) {
        found.bytes += part.length
        for (let at = part.indexOf(newline); at !== -1; at = part.indexOf(newline, at + 1)) found.lines += 1
        found.rssBytesMax = Math.max(found.rssBytesMax, process.memoryUsage.rss())
        found.end = (found.end + part.toString()).slice(-endCharacters)
      }
      if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${found.end}`)
      return found
    },
    close: () => pool.close(),
  }
}
