import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'

/** Answers every request at an address of this machine, and returns the port. */
async function listenOn(host: string, port = 0): Promise<string> {
  const server = createServer((_, response) => void response.end()).listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

/** Runs the health check of the containers and returns its exit code. */
async function probe(env: Record<string, string>): Promise<number> {
  const [code] = await once(execFile(process.execPath, ['server/launch/probe.mjs', '/readyz'], { env }), 'close')
  return code as number
}

it('the health check of a container takes an empty variable for an unset one', async () => {
  // An address that no server has, and no other run of this test.
  const host = `127.83.${(process.pid >> 8) & 255}.${process.pid & 255}`
  await listenOn(host, 4318)
  expect(await probe({ HOST: host, PORT: '', TLS_CERT_FILE: '' })).toBe(0)
})

it.each([
  ['127.83.1.8', '127.83.1.8', 0],
  ['127.83.1.8', '127.83.1.9', 1],
  ['0.0.0.0', '127.0.0.1', 0],
  ['', '127.0.0.1', 0],
])('the health check with HOST=%s of a server that listens on %s exits with %i', async (host, listening, code) => {
  expect(await probe({ HOST: host, PORT: await listenOn(listening) })).toBe(code)
})
