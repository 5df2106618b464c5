import { expect, it } from 'vitest'
import { listOperations } from '../../server/http/contract/operations.ts'
import { document } from '../support/documented-operations.ts'
import { hostileBodies } from '../support/hostile-bodies.ts'
import { leastStretch } from '../support/longest-stretch.ts'
import { sharedStubApp } from '../support/stub-app.ts'

const stub = sharedStubApp({ checkResponses: false })

/** The longest that a request may keep all others waiting, in milliseconds of CPU time. */
const stretchMsMax = 100

const operations = listOperations(document).filter(({ isHandled, bodySchema }) => isHandled && bodySchema)

it.each(operations.map((operation) => [operation.id, operation] as const))(
  'no body of %s blocks the event loop while it is read and checked',
  async (_, operation) => {
    const headers = { 'content-type': 'application/json' }
    const slow: string[] = []
    for (const { shape, text } of hostileBodies(operation, 4 * 2 ** 20)) {
      const body = Buffer.from(text)
      const send = async () => {
        const path = operation.path.replaceAll(/\{.*?\}/g, '01JNB4Y8Z0V6Q3W2R7T5X9K1MD')
        const response = await stub().send(operation.method, path, { headers, body })
        await response.arrayBuffer()
      }
      const stretch = await leastStretch(send, stretchMsMax)
      if (stretch > stretchMsMax) slow.push(`${shape}: ${stretch.toFixed(0)} ms`)
    }
    expect(slow).toEqual([])
  },
  300_000,
)
