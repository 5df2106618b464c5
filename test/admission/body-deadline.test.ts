import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { incomingBody, watchBody } from '../../server/admission/body-deadline.ts'
import { request as requestWith, span } from '../support/otlp-json.ts'
import { startOtlpServer } from '../support/otlp-server.ts'
import { startStubApp } from '../support/stub-app.ts'

describe('the watch of a body', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function watched() {
    const socket = { bytesRead: 500 }
    const request = Object.assign(new EventEmitter(), { socket })
    const late = vi.fn()
    watchBody(
      incomingBody(request as unknown as IncomingMessage),
      { bodySecondsMax: 60, bodyStallSecondsMax: 10 },
      late,
    )
    return { request, socket, late }
  }

  it('raises 408 once when a period brings no progress', () => {
    const { socket, late } = watched()
    socket.bytesRead += 2000
    vi.advanceTimersByTime(10_000)
    expect(late).not.toHaveBeenCalled()
    socket.bytesRead += 1
    vi.advanceTimersByTime(60_000)
    expect(late).toHaveBeenCalledOnce()
    expect(late.mock.calls[0]?.[0]).toMatchObject({ status: 408, code: 'request_timeout' })
  })

  it('raises 408 at the total limit however steadily the body arrives', () => {
    const { socket, late } = watched()
    for (let second = 1; second < 60; second++) {
      socket.bytesRead += 1000
      vi.advanceTimersByTime(1_000)
    }
    expect(late).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(late).toHaveBeenCalledOnce()
  })

  it.each(['end', 'close'])('ends with the event %s of the request', (event) => {
    const { request, late } = watched()
    request.emit(event)
    vi.advanceTimersByTime(100_000)
    expect(late).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

/** Sends the head of a request and a part of its body, and returns what the server sends until it closes. */
async function sendStalled(url: string, head: readonly string[], part: Buffer | string): Promise<string> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`${[...head, 'Host: a', 'Content-Length: 100000'].join('\r\n')}\r\n\r\n`)
  socket.write(part)
  let answer = ''
  for await (const piece of socket) answer += piece
  return answer
}

it('a stalled gzip body of OTLP gets 503, its memory is released and the connection closed', async () => {
  const server = await startOtlpServer({ bodyStallSecondsMax: 1 })
  onTestFinished(() => server.close())
  const bytes = gzipSync(JSON.stringify(requestWith(span({ name: 'x'.repeat(50_000) }))))
  const head = [
    'POST /v1/traces HTTP/1.1',
    'Authorization: Bearer acme/ingest',
    'Content-Type: application/json',
    'Content-Encoding: gzip',
  ]
  const answer = await sendStalled(server.url, head, bytes.subarray(0, -20))
  expect(answer).toMatch(/^HTTP\/1\.1 503 /)
  expect(answer).toContain('"code":4')
  expect(answer).toMatch(/Retry-After: 1/)
  expect(await server.metrics.registry.metrics()).toContain('tracefold_ingest_in_flight_bytes 0')
})

it('a stalled body of the API gets 408 and the connection is closed', async () => {
  const app = await startStubApp({
    limits: {
      headersSecondsMax: 15,
      bodySecondsMax: 60,
      bodyStallSecondsMax: 1,
      responseBytesMax: 1,
      responseStallSecondsMax: 30,
    },
  })
  const head = [
    'POST /api/v1/messages/count HTTP/1.1',
    'Authorization: Bearer viewer',
    'Content-Type: application/json',
  ]
  const answer = await sendStalled(app.url, head, '{"rows":')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('"code":"request_timeout"')
})
