import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startApp } from '../support/app.ts'

/** The shell blocks of a section of the README. */
function shellBlocksOf(section: string): string[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const text = readme.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '')
}

it('the curl lines of the README work as pasted, one after the other', async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const token = await app.token()
  const script = shellBlocksOf('Ask')
    .join('\necho\n')
    .replace(/^TOKEN=.*$/m, `TOKEN=${token}`)
    .replaceAll('http://127.0.0.1:4318', app.url)
    .replaceAll(/^curl (.*)$/gm, 'echo; curl $1')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])
  const [sent, found, counted, message, keys] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  expect(sent).toEqual({})
  expect(found.messages).toMatchObject([{ trace_id: '5b8efff798038103d269b633813fc60c', matched_step_count: 2 }])
  expect(counted).toMatchObject({ message_count: 1, error_message_count: 1 })
  expect(message.spans).toHaveLength(2)
  expect(keys.items).toMatchObject([{ key: 'customer.id' }])
})

it('so do those about channels, but for the receiver, which is none', async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const script = shellBlocksOf('Webhook channels').join('\n').replaceAll('http://127.0.0.1:4318', app.url)
  const env = { ...process.env, TOKEN: await app.token() }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', script.replaceAll(/^curl /gm, 'echo; curl ')],
    { env },
  )
  const [preview, delivery] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(preview.body).toEqual({ title: 'firing: Checkout is slow', value: 912.4 })
  expect(delivery).toMatchObject({ event: 'test', state: 'failed', attempts: [{ number: 1 }] })
})

it('and those about alert rules', async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const script = shellBlocksOf('Alert rules').join('\n').replaceAll('http://127.0.0.1:4318', app.url)
  const env = { ...process.env, TOKEN: await app.token() }
  const lines = script.replaceAll(/^curl /gm, 'echo; curl ')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], { env })
  const [preview, rule, alerts] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(preview).toMatchObject({ value: null, notifications: [] })
  expect(rule).toMatchObject({ name: 'Checkout of customer 77 fails', threshold: 10, version: 2 })
  expect(alerts).toEqual({ items: [], next_cursor: null })
})

it('and those about facets, of the service that the first lines send', async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const [, send = ''] = shellBlocksOf('Ask').flatMap((block) => block.split(/(?=^NOW=)/m))
  const lines = [send, ...shellBlocksOf('Facets and dashboards')]
    .join('\n')
    .replaceAll('http://127.0.0.1:4318', app.url)
  const env = { ...process.env, TOKEN: await app.token() }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', lines.replaceAll(/^curl /gm, 'echo; curl ')],
    { env },
  )
  const [sent, services, rule, overrides, dashboard, latency] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(sent).toEqual({})
  expect(services.items).toMatchObject([{ name: 'checkout', facets: [{ slug: 'core' }] }])
  expect(rule).toMatchObject({ attribute_key: 'customer.id', set_io_kind: 'http' })
  expect(overrides).toMatchObject({ include: ['db-output'], exclude: ['worker'] })
  expect(dashboard.facets).toMatchObject([{ slug: 'core' }, { slug: 'http-input' }, { slug: 'db-output' }])
  expect(latency.series.map(({ points }: { points: unknown[] }) => points.length)).toEqual([1, 1, 1])
})

it('and those about metrics', async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const script = shellBlocksOf('Metrics').join('\n').replaceAll('http://127.0.0.1:4318', app.url)
  const env = { ...process.env, TOKEN: await app.token() }
  const lines = script.replaceAll(/^curl /gm, 'echo; curl ')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], { env })
  const [sent, catalogue, data, points] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(sent).toEqual({})
  expect(catalogue.items).toMatchObject([{ name: 'orders', kind: 'sum', unit: '{order}', series_count: 1 }])
  // Both points may lie in one step, or the hour may begin between them.
  expect(data.series).toMatchObject([{ kind: 'sum', unit: '{order}', group: ['checkout'] }])
  expect(data.series[0].points.map(([, value]: [string, number]) => value)).toContain(2)
  expect(points.items).toMatchObject([{ number: { type: 'int', value: 120 } }, { number: { type: 'int', value: 60 } }])
})
