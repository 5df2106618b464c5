import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openS3Storage } from '../../server/backup/s3-storage.ts'
import { readText } from '../../server/backup/storage.ts'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand, startCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startEmbeddedApp } from './embedded-app.ts'

const everything = { org: 'acme', path: '/messages/count', body: { from: '2026-01-01T00:00:00Z', rows: [] } }

/** Starts a real S3 server on a free port and returns the environment of a command that uses it. */
async function startS3(): Promise<Readonly<Record<string, string>>> {
  const S3rver = createRequire(import.meta.url)('s3rver')
  const configureBuckets = [{ name: 'backups', configs: [] }]
  const directory = temporaryFolder()
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  onTestFinished(() => server.close())
  return {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }
}

it('backups in an S3 bucket are incremental, verified and restored', async () => {
  const env = await startS3()
  const address = 's3://backups/tracefold/a b'
  const source = await startEmbeddedApp()
  await source.send('acme', exportRequest([2_000]))
  const first = await runCommand(['backup', address, '--data-dir', source.dataDir], env)
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/, full\n$/) })
  await source.send('acme', exportRequest([10], 5_000))
  const second = await runCommand(['backup', address, '--data-dir', source.dataDir], env)
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(', needs ') })
  const bytesOf = ({ stdout }: { stdout: string }) => Number(/(\d+) bytes/.exec(stdout)?.[1])
  expect(bytesOf(second)).toBeLessThan(bytesOf(first) / 2)
  expect(await runCommand(['verify', address], env)).toMatchObject({ code: 0 })
  await source.stop()

  const restored = await startEmbeddedApp()
  expect(await runCommand(['restore', address, '--data-dir', restored.dataDir], env)).toMatchObject({ code: 0 })
  expect(await restored.ask(everything)).toMatchObject({ matched_step_count: 2_010 })

  const wrong = await runCommand(['verify', address], {
    ...env,
    AWS_ACCESS_KEY_ID: 'unknown',
    AWS_SECRET_ACCESS_KEY: 'only-for-tests',
  })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('The bucket refused') })
  expect(wrong.stderr).not.toContain('only-for-tests')
})

const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Starts what stands at the address of a bucket, and returns the environment of a command that uses it. */
async function startEndpoint(answer: RequestListener): Promise<Readonly<Record<string, string>>> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}

function storageAt({ AWS_ENDPOINT_URL: endpoint }: Readonly<Record<string, string>>) {
  return openS3Storage('s3://backups/p', { ...credentials, endpoint }, new AbortController().signal)
}

it('a request whose connection breaks is sent to the bucket again', async () => {
  let requests = 0
  const endpoint = await startEndpoint((request, response) => {
    requests++
    if (requests < 3) request.socket.destroy()
    else
      response.end('<ListBucketResult><CommonPrefixes><Prefix>p/20261129</Prefix></CommonPrefixes></ListBucketResult>')
  })
  expect(await storageAt(endpoint).listFolders()).toHaveLength(1)
  expect(requests).toBe(3)
})

it('the error of a file that breaks off names the bucket and the file', async () => {
  const endpoint = await startEndpoint((request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setImmediate(() => request.socket.end())
  })
  const reading = readText(storageAt(endpoint), 'a/manifest.json')
  await expect(reading).rejects.toThrow(`${endpoint.AWS_ENDPOINT_URL}/backups failed (reading a/manifest.json): `)
})

it('a page in place of a bucket is refused, instead of being read as an empty bucket', async () => {
  const endpoint = await startEndpoint((_, response) => response.end('<html>Sign in</html>'))
  await expect(storageAt(endpoint).listFolders()).rejects.toThrow('does not answer as S3 does. Check AWS_ENDPOINT_URL.')
})

it.each([
  ['s3://', {}, 's3:// must be s3://bucket/prefix'],
  ['s3://backups/100%', {}, 'percent-encoded'],
  ['s3://backups/p?x', {}, 'percent-encoded'],
  ['s3://backups/p', { endpoint: 'localhost:9000' }, 'AWS_ENDPOINT_URL must be a URL that starts with https://'],
  ['s3://backups/p', { region: 'eu central' }, 'AWS_REGION must be a name'],
])('the address %s with %o is refused by name', (address, service, refusal) => {
  const open = () => openS3Storage(address, { ...credentials, ...service }, new AbortController().signal)
  expect(open).toThrow(refusal)
})

it('a command and its server end although the bucket does not answer', async () => {
  const source = await startEmbeddedApp()
  let asked = () => {}
  const askedAgain = () =>
    new Promise<void>((resolve) => {
      asked = resolve
    })
  const env = await startEndpoint(() => asked())
  const begin = async () => {
    const first = askedAgain()
    const backup = startCommand(['backup', 's3://backups/p', '--data-dir', source.dataDir], env)
    await first
    return backup
  }
  const interrupted = await begin()
  interrupted.kill('SIGINT')
  expect(await interrupted.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Interrupted') })

  const stopped = await begin()
  await source.stop()
  expect(await stopped.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The server is shutting down.'),
  })
})
