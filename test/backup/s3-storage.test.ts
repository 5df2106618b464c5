import { createRequire } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand } from '../support/server-process.ts'
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
