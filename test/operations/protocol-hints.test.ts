import { expect, it } from 'vitest'
import { createProtocolHints, type Ports } from '../../server/lifecycle/protocol-hints.ts'

it('a wrong protocol is logged with the right port, once in a while', () => {
  const logged: string[] = []
  let nowMs = 0
  const ports: Ports = { http: 4318 }
  const hints = createProtocolHints(
    ports,
    { warn: (_: object, text: string) => void logged.push(text) } as never,
    () => nowMs,
  )
  hints.log('http2-to-http', '192.0.2.1')
  ports.grpc = 4317
  for (const minute of [1, 9]) {
    nowMs = minute * 60_000
    hints.log('http2-to-http', '192.0.2.1')
    hints.log('http1-to-grpc', '192.0.2.1')
  }
  nowMs = 11 * 60_000
  hints.log('http2-to-http', '192.0.2.1')
  expect(logged).toEqual([
    expect.stringContaining('OTLP/gRPC is off: set GRPC_PORT'),
    expect.stringContaining('OTLP/HTTP and the API are served on port 4318'),
    expect.stringContaining('OTLP/gRPC is served on port 4317'),
  ])
})
