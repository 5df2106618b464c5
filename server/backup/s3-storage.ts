import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AwsClient } from 'aws4fetch'
import { withoutTrailingSlashes } from '../config/parse-values.ts'
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

/**
 * Keeps backups in a bucket. `address` is `s3://bucket/prefix`. Every upload is signed with the SHA-256 of its bytes.
 */
export function openS3Storage(address: string, options: S3Options): BackupStorage {
  const { bucketUrl, prefix } = parseAddress(address, options)
  const client = new AwsClient({
    accessKeyId: options.accessKeyId,
    secretAccessKey: options.secretAccessKey,
    ...(options.sessionToken === undefined ? {} : { sessionToken: options.sessionToken }),
    service: 's3',
    region: options.region ?? 'us-east-1',
  })
  const bucket = new Bucket(client, bucketUrl)
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

function parseAddress(address: string, { endpoint, region = 'us-east-1' }: S3Options) {
  const { hostname: bucket, pathname } = new URL(address)
  const path = withoutTrailingSlashes(pathname.replace(/^\/+/, ''))
  return {
    bucketUrl:
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com`
        : `${withoutTrailingSlashes(endpoint)}/${bucket}`,
    prefix: path === '' ? '' : `${decodeURIComponent(path)}/`,
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

/** The requests of the S3 API that backups need. The client signs them and retries errors of the service. */
class Bucket {
  private readonly client: AwsClient
  private readonly url: string

  constructor(client: AwsClient, url: string) {
    this.client = client
    this.url = url
  }

  async read(key: string, name: string): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.client.fetch(this.urlOf(key))
    if (response.status === 404) throw new StoredFileMissing(`There is no ${name}.`)
    if (!response.ok || response.body === null) throw await refusal(response, `GET ${key}`)
    return response.body
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
      keys.push(...element(page, 'Contents').flatMap((content) => element(content, 'Key')))
      folders.push(...element(page, 'CommonPrefixes').flatMap((content) => element(content, 'Prefix')))
      token = element(page, 'NextContinuationToken')[0] ?? ''
      if (token === '') return { keys, folders }
    }
  }

  async send(method: string, key: string, query = '', body?: Buffer): Promise<Response> {
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const response = await this.client.fetch(this.urlOf(key) + query, {
      method,
      headers: { 'x-amz-content-sha256': sha256 },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    })
    if (!response.ok) throw await refusal(response, `${method} ${key}`)
    return response
  }

  private urlOf(key: string): string {
    const escaped = encodeURIComponent(key).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    return `${this.url}/${escaped.replaceAll('%2F', '/')}`
  }
}

async function refusal(response: Response, request: string): Promise<Error> {
  const code = element(await response.text(), 'Code')[0]
  return new Error(`The bucket refused ${request}: ${response.status}${code === undefined ? '' : ` ${code}`}.`)
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
