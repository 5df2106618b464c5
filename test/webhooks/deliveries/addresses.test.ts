import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAddressPolicy, refuseInternalAddress } from '../../../server/webhooks/channels/receiver-address.ts'
import { createPost } from '../../../server/webhooks/deliveries/post.ts'
import { createResolveHost, type ResolveHost } from '../../../server/webhooks/deliveries/resolve-host.ts'
import { startReceiver } from '../../support/receiver.ts'

const publicOnly = createAddressPolicy([])
const loopback = createAddressPolicy(['127.0.0.0/8'])
const signal = new AbortController().signal

function post(
  url: string,
  { allows = publicOnly, resolve = createResolveHost() }: { allows?: typeof publicOnly; resolve?: ResolveHost },
) {
  const request = { url, headers: { 'content-type': 'application/json' }, body: '{}', secrets: [] }
  return createPost({ allows, resolve, timeoutMs: 60_000 })(request, signal)
}

/** Resolves every name to the first list of addresses at the first lookup, to the second at the second, and so on. */
function names(...lookups: string[][]): ResolveHost {
  let lookup = 0
  return async () => {
    const addresses = lookups[Math.min(lookup, lookups.length - 1)] ?? []
    lookup += 1
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

/** Spellings of loopback addresses, most of which pass a check of host names alone. */
const loopbackForms = [
  '127.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '2130706433',
  '0x7f.1',
  '0.0.0.0',
  '[::]',
  'localhost',
  '127.1',
  '017700000001',
  '127.0.0.1.',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '①②⑦.0.0.1',
]

describe('without allowed networks', () => {
  it.each(loopbackForms)('no connection is made to loopback spelled as %s', async (host) => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen({ port: 0, host: '::', ipv6Only: false }, resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const result = await post(`http://${host}:${port}/`, {})
    expect(result).toMatchObject({
      kind: 'unanswered',
      error: expect.stringMatching(/internal address|public address/),
    })
    expect(connections).toBe(0)
  })

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '::2',
    '2001:db8::1',
    '4000::1',
    '::ffff:10.0.0.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::168.63.129.16',
    '64:ff9b:1::a83f:8110',
    '2002:a83f:8110::1',
    '2001:0:4136:e378:8000:63bf:579c:7eef',
    '2600:1234::5efe:a83f:8110',
    '2600:1234::200:5efe:a83f:8110',
    '100.100.100.200',
    '192.0.0.192',
    'fd20:ce::254',
    '3fff::1',
    'nonsense',
    '',
  ])('the address %s is closed', (address) => {
    expect(publicOnly(address)).toBe(false)
  })

  it.each(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('the address %s is open', (address) => {
    expect(publicOnly(address)).toBe(true)
  })
})

it('an allowed network is open, also as IPv4-mapped IPv6, and no other network is', () => {
  const allows = createAddressPolicy(['10.1.0.0/16', 'fd00::/8'])
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map(allows)).toEqual([true, true, true])
  expect(['10.2.0.1', '127.0.0.1', 'fe80::1'].map(allows)).toEqual([false, false, false])
})

it('a name with an open and a closed address is refused', async () => {
  const receiver = await startReceiver()
  const resolve = names(['127.0.0.1', '10.0.0.1'])
  const result = await post(receiver.url.replace('127.0.0.1', 'receiver.test'), { allows: loopback, resolve })
  expect(result).toMatchObject({ error: expect.stringContaining('public address') })
  expect(receiver.received).toEqual([])
})

it('a name with an internal address and a name without any get the same error', async () => {
  const lookups: ResolveHost[] = [
    names(['10.0.0.1']),
    names(['127.0.0.1', '8.8.8.8']),
    names(['fd00::1']),
    names([]),
    ...['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL'].map((code) => async () => {
      throw Object.assign(new Error('getaddrinfo'), { code })
    }),
  ]
  const results = await Promise.all(lookups.map((resolve) => post('http://db.internal.test/', { resolve })))
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
})

it('a request resolves a name once and connects to the address that was checked', async () => {
  const receiver = await startReceiver()
  const resolve = names(['127.0.0.1'], ['192.0.2.1'])
  const url = receiver.url.replace('127.0.0.1', 'receiver.test')
  expect(await post(url, { allows: loopback, resolve })).toMatchObject({ kind: 'answered', status: 200 })
  expect(await post(url, { allows: loopback, resolve })).toMatchObject({ error: expect.stringContaining('public') })
  expect(receiver.received).toHaveLength(1)
})

it('a name that resolves to loopback after it was saved is refused', async () => {
  const receiver = await startReceiver()
  const url = receiver.url.replace('127.0.0.1', 'receiver.test')
  expect(() => refuseInternalAddress(url, publicOnly, '/config/url')).not.toThrow()
  expect(await post(url, { resolve: names(['127.0.0.1']) })).toMatchObject({ kind: 'unanswered' })
  expect(receiver.received).toEqual([])
})

it.each(['http://127.0.0.1/', 'http://[::ffff:7f00:1]/', 'http://0x7f.1/', 'https://169.254.169.254/latest'])(
  'the URL %s is refused on save',
  (url) => {
    const refuse = () => refuseInternalAddress(url, publicOnly, '/config/url')
    expect(refuse).toThrow(
      expect.objectContaining({
        status: 422,
        extras: { errors: [expect.objectContaining({ pointer: '/config/url' })] },
      }),
    )
  },
)

it('a URL with a public address or a name is accepted on save', () => {
  for (const url of ['https://8.8.8.8/hook?token=1', 'https://hooks.example.com/1']) {
    expect(() => refuseInternalAddress(url, publicOnly, '/config/url')).not.toThrow()
  }
})
