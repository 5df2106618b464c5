import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { baseAddress, withoutTrailingSlashes } from '../config/parse-values.ts'
import { type BackupStorage, type PublishedFile, StoredFileMissing } from './storage.ts'

/** The address of an S3-compatible service, as the AWS tools read it from the environment. */
export interface S3Options {
  /** `AWS_ENDPOINT_URL`: any service other than AWS. Buckets are then addressed by path. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** Size of one request. A larger file is uploaded in parts, of which S3 permits 10,000. */
const partBytes = 16 * 2 ** 20

/** A request is sent up to this many times, in about 13 seconds, if the service or the connection to it fails. */
const triesMax = 8
const firstPauseMs = 100

/** Milliseconds for each request by which an interrupted operation deletes what it has stored. */
const cleanupMsMax = 5_000

/**
 * Keeps backups in a bucket. `address` is `s3://bucket/prefix`. Every upload is signed with the SHA-256 of its bytes.
 * `signal` cancels the request that is running, because a service may accept connections and never answer on them.
 * @throws Error when the address, the endpoint or the region is not valid
 */
export function openS3Storage(address: string, options: S3Options, signal: AbortSignal): BackupStorage {
  const { bucketUrl, prefix } = parseS3Address(address, options)
  const client = new AwsClient({
    // `Bucket` tries again itself, also after a connection has failed.
    retries: 0,
    accessKeyId: options.accessKeyId,
    secretAccessKey: options.secretAccessKey,
    ...(options.sessionToken === undefined ? {} : { sessionToken: options.sessionToken }),
    service: 's3',
    region: options.region ?? 'us-east-1',
  })
  const bucket = new Bucket(client, bucketUrl, signal)
  const keyOf = (name: string) => `${prefix}${name}`
  return {
    address,
    async listFolders() {
      const { folders } = await bucket.list(prefix, '/')
      return folders.map((folder) => folder.slice(prefix.length, -1)).sort()
    },
    async listFiles(folder) {
      const { keys } = await bucket.list(keyOf(`${folder}/`))
      return keys.map((key) => key.slice(prefix.length)).sort()
    },
    read: (name) => bucket.read(keyOf(name), name),
    write: (name, content) => bucket.put(keyOf(name), content),
    publish: (name, path) => upload(bucket, keyOf(name), path),
    sync: async () => {},
    async removeFolder(folder) {
      const { keys } = await bucket.list(keyOf(`${folder}/`))
      for (const key of keys) await bucket.send('DELETE', key)
    },
  }
}

/** Returns the URL of the bucket and the prefix of all keys. @throws Error that says which of them is not valid */
export function parseS3Address(
  address: string,
  { endpoint, region = 'us-east-1' }: Pick<S3Options, 'endpoint' | 'region'>,
): { readonly bucketUrl: string; readonly prefix: string } {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9._-]+)(?:\/([^?#]*))?$/i.exec(address) ?? []
  const names = bucket === undefined ? undefined : decoded(path)
  if (names === undefined)
    throw new Error(`${address} must be s3://bucket/prefix, in whose prefix % ? and # are percent-encoded.`)
  if (!/^[a-z0-9-]+$/i.test(region)) throw new Error('AWS_REGION must be a name such as eu-central-1.')
  const prefix = withoutTrailingSlashes(names.replace(/^\/+/, ''))
  return {
    bucketUrl:
      endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${parseEndpoint(endpoint)}/${bucket}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function parseEndpoint(endpoint: string): string {
  try {
    return baseAddress(endpoint)
  } catch (error) {
    throw new Error(`AWS_ENDPOINT_URL ${error instanceof Error ? error.message : error}.`)
  }
}

/** Uploads a file in one request or in parts. */
async function upload(bucket: Bucket, key: string, path: string): Promise<PublishedFile> {
  const hash = createHash('sha256')
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const next = async () => {
      const buffer = Buffer.allocUnsafe(Math.min(partBytes, size))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length)
      hash.update(buffer.subarray(0, bytesRead))
      return buffer.subarray(0, bytesRead)
    }
    if (size <= partBytes) await bucket.put(key, await next())
    else await bucket.putParts(key, Math.ceil(size / partBytes), next)
    return { sha256: hash.digest('hex'), bytes: size }
  } finally {
    await handle.close()
  }
}

/** The requests of the S3 API that backups need. */
class Bucket {
  private readonly client: AwsClient
  private readonly url: string
  private readonly signal: AbortSignal

  constructor(client: AwsClient, url: string, signal: AbortSignal) {
    this.client = client
    this.url = url
    this.signal = signal
  }

  async read(key: string, name: string): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.fetch('GET', key)
    if (response.status === 404) throw new StoredFileMissing(`There is no ${name}.`)
    if (!response.ok || response.body === null) throw await refusal(response, `GET /${key}`)
    return this.explained(response.body, `reading ${name}`)
  }

  async put(key: string, content: Buffer): Promise<void> {
    await this.send('PUT', key, '', content)
  }

  async putParts(key: string, count: number, next: () => Promise<Buffer>): Promise<void> {
    const created = await (await this.send('POST', key, '?uploads')).text()
    const id = encodeURIComponent(element(created, 'UploadId')[0] ?? '')
    try {
      const parts: string[] = []
      for (let number = 1; number <= count; number++) {
        const { headers } = await this.send('PUT', key, `?partNumber=${number}&uploadId=${id}`, await next())
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('etag')}</ETag></Part>`)
      }
      const all = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const completed = await (await this.send('POST', key, `?uploadId=${id}`, Buffer.from(all))).text()
      // S3 reports some errors of this request with status 200.
      if (completed.includes('<Error>'))
        throw new Error(`The bucket refused POST ${key}: ${element(completed, 'Code')}`)
    } catch (error) {
      await this.send('DELETE', key, `?uploadId=${id}`).catch(() => undefined)
      throw error
    }
  }

  /** Lists all keys with a prefix. With a delimiter, keys that contain it after the prefix are listed as folders. */
  async list(prefix: string, delimiter = ''): Promise<{ keys: string[]; folders: string[] }> {
    const [keys, folders]: [string[], string[]] = [[], []]
    for (let token = ''; ; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix })
      if (delimiter !== '') query.set('delimiter', delimiter)
      if (token !== '') query.set('continuation-token', token)
      const page = await (await this.send('GET', '', `?${query.toString().replaceAll('+', '%20')}`)).text()
      if (!page.includes('<ListBucketResult'))
        throw new Error(`${this.url} does not answer as S3 does. Check AWS_ENDPOINT_URL.`)
      keys.push(...element(page, 'Contents').flatMap((content) => element(content, 'Key')))
      folders.push(...element(page, 'CommonPrefixes').flatMap((content) => element(content, 'Prefix')))
      token = element(page, 'NextContinuationToken')[0] ?? ''
      if (token === '') return { keys, folders }
    }
  }

  async send(method: string, key: string, query = '', body?: Buffer): Promise<Response> {
    const response = await this.fetch(method, key, query, body)
    if (!response.ok) throw await refusal(response, `${method} /${key}`)
    return response
  }

  /** Sends a request until the service answers it. Returns the last answer, which may be an error of the service. */
  private async fetch(method: string, key: string, query = '', body?: Buffer): Promise<Response> {
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signal = this.signal.aborted ? AbortSignal.timeout(cleanupMsMax) : this.signal
    const init = {
      method,
      signal,
      headers: { 'x-amz-content-sha256': sha256 },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }
    for (let tries = 1; ; tries++) {
      const response = await this.client.fetch(this.urlOf(key) + query, init).catch((error: unknown) => {
        signal.throwIfAborted()
        if (tries === triesMax) throw this.unreachable(error, `${method} /${key}`)
        return undefined
      })
      const isFinal = response !== undefined && response.status < 500 && response.status !== 429
      if (response !== undefined && (isFinal || tries === triesMax)) return response
      await response?.body?.cancel()
      await sleep(firstPauseMs * 2 ** (tries - 1), undefined, { signal })
    }
  }

  /** Names the bucket in the error of a response that breaks off. */
  private async *explained(body: AsyncIterable<Uint8Array>, work: string): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      this.signal.throwIfAborted()
      throw this.unreachable(error, work)
    }
  }

  /** Returns an error with the address, which those of `fetch` lack. */
  private unreachable(error: unknown, work: string): Error {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const { message = '', code = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {}
    const reason = message || code || String(cause)
    return new Error(`The connection to ${this.url} failed (${work}): ${reason}.`, { cause: error })
  }

  private urlOf(key: string): string {
    const escaped = encodeURIComponent(key).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    return `${this.url}/${escaped.replaceAll('%2F', '/')}`
  }
}

async function refusal(response: Response, request: string): Promise<Error> {
  const code = element(await response.text(), 'Code')[0]
  const hint = response.status === 301 ? ' Set AWS_REGION to the region of the bucket.' : ''
  return new Error(`The bucket refused ${request}: ${response.status}${code === undefined ? '' : ` ${code}`}.${hint}`)
}

/** Returns the contents of the elements with a name, in which entities are decoded unless they contain elements. */
function element(xml: string, name: string): string[] {
  const end = `</${name}>`
  const begun = xml.split(`<${name}>`).slice(1)
  const contents = begun.flatMap((rest) => (rest.includes(end) ? rest.split(end, 1) : []))
  return contents.map((content) =>
    content.includes('<')
      ? content
      : content
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&apos;', "'")
          .replace(/&#(x?)([0-9a-fA-F]+);/g, (_, hex, code) => String.fromCodePoint(parseInt(code, hex ? 16 : 10)))
          .replaceAll('&amp;', '&'),
  )
}
