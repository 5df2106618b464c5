import { Pool } from 'undici'

/** A client of the server over persistent connections. It throws unless a response is successful. */
export interface Api {
  get<Body>(path: string): Promise<Body>
  post<Body>(path: string, body: object): Promise<Body>
  close(): Promise<void>
}

/** More than the number of concurrent clients of any section. */
const connectionsMax = 32

export function openApi(url: string, token: string): Api {
  const pool = new Pool(url, { connections: connectionsMax })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async <Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> => {
    const sent = body === undefined ? null : JSON.stringify(body)
    const answer = await pool.request({ method, path: `/api/v1${path}`, headers, body: sent })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text) as Body
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    close: () => pool.close(),
  }
}
