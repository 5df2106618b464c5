import { lookup } from 'node:dns/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAddressPolicy } from '../../../server/webhooks/channels/receiver-address.ts'
import { createPost } from '../../../server/webhooks/deliveries/post.ts'
import { createResolveHost } from '../../../server/webhooks/deliveries/resolve-host.ts'
import { slotLimits } from '../../../server/webhooks/deliveries/slots.ts'
import { startReceiver } from '../../support/receiver.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startNameServer, type Zone } from './name-server.ts'

interface Names {
  readonly hosts?: string
  readonly resolver?: string
  readonly zone?: Zone
  readonly timeoutMs?: number
}

/** Longer than a busy machine takes, so that no query is repeated and none is given up. */
const patientMs = 300_000

async function resolverOf({ hosts = '', resolver = '', zone = {}, timeoutMs = patientMs }: Names) {
  const directory = temporaryFolder()
  const [hostsFile, resolverFile] = [join(directory, 'hosts'), join(directory, 'resolv.conf')]
  writeFileSync(hostsFile, hosts)
  writeFileSync(resolverFile, resolver)
  const { address, queried } = await startNameServer(zone)
  const sources = { hostsFile, resolverFile, nameServers: [address], timeoutMs, queryMs: patientMs }
  return { resolve: createResolveHost(sources), queried }
}

it('as many names as there are slots, whose name servers never answer, delay no other lookup', async () => {
  const silent = Array.from({ length: slotLimits.all }, (_, index) => `silent-${index}.example`)
  const zone = { ...Object.fromEntries(silent.map((name) => [name, undefined])), 'fast.example': '127.0.0.1' }
  const { resolve, queried } = await resolverOf({ zone })
  const post = createPost({ allows: createAddressPolicy(['127.0.0.0/8']), resolve, timeoutMs: patientMs })
  const stopping = new AbortController()
  const send = (host: string, port: string) =>
    post({ url: `http://${host}:${port}/`, headers: {}, body: '{}', secrets: [] }, stopping.signal)
  const { port } = new URL((await startReceiver()).url)
  const waiting = silent.map((host) => send(host, port))
  await expect.poll(() => new Set(queried).size).toBe(silent.length)
  let ended = 0
  for (const each of waiting) {
    each.then(
      () => ended++,
      () => {},
    )
  }
  expect(await send('fast.example', port)).toMatchObject({ kind: 'answered', status: 200 })
  await lookup('localhost')
  expect(ended).toBe(0)
  // A server that stops does not wait for them either.
  stopping.abort()
  const ends = await Promise.allSettled(waiting)
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']))
})

it('a name whose name server never answers has no address after the timeout', async () => {
  const { resolve } = await resolverOf({ zone: { 'silent.example': undefined }, timeoutMs: 100 })
  expect(await resolve('silent.example')).toEqual([])
})

it('a name of the hosts file has all of its addresses there, and is not queried', async () => {
  const hosts = '127.0.0.1\tlocalhost here # there\n# 10.0.0.1 localhost\n\n::1 localhost\nnonsense localhost\n'
  const { resolve, queried } = await resolverOf({ hosts, zone: { there: '10.0.0.2' } })
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  expect(await resolve('localhost')).toEqual(both)
  expect(await resolve('LOCALHOST')).toEqual(both)
  expect(await resolve('here')).toEqual(both.slice(0, 1))
  expect(queried).toEqual([])
  expect(await resolve('there')).toEqual([{ address: '10.0.0.2', family: 4 }])
})

it.each([
  ['no search list', '', 'hooks', ['hooks']],
  ['a search list and a short name', 'search a.test b.test', 'hooks', ['hooks.a.test', 'hooks.b.test', 'hooks']],
  ['a search list and a longer name', 'search a.test', 'hooks.example', ['hooks.example', 'hooks.example.a.test']],
  ['ndots', 'search a.test\noptions timeout:1 ndots:2', 'hooks.ns', ['hooks.ns.a.test', 'hooks.ns']],
  ['the last of several lists', 'domain a.test\n; search c.test\nsearch b.test', 'hooks', ['hooks.b.test', 'hooks']],
  ['an absolute name', 'search a.test', 'hooks.', ['hooks']],
])('names are queried in the order of resolv.conf: %s', async (_, resolver, name, expected) => {
  const { resolve, queried } = await resolverOf({ resolver })
  expect(await resolve(name)).toEqual([])
  expect(queried).toEqual(expected)
})

it('the first name of the search list that has an address counts', async () => {
  const zone = { 'hooks.b.test': '10.0.0.1', hooks: '10.0.0.2' }
  const { resolve } = await resolverOf({ resolver: 'search a.test b.test', zone })
  expect(await resolve('hooks')).toEqual([{ address: '10.0.0.1', family: 4 }])
})
