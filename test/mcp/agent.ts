import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onTestFinished } from 'vitest'

export interface ReadAnswer {
  /** The first line. */
  readonly sentence: string
  /** What was left out; empty if nothing was. */
  readonly note: string
  readonly body: Record<string, unknown>
  readonly text: string
  readonly isError: boolean
}

export interface Agent {
  readonly client: Client
  /** Calls a tool and reads its answer. The body of an error is empty. */
  call(name: string, args?: Record<string, unknown>): Promise<ReadAnswer>
}

/** Connects a client of the official SDK, which is closed when the test ends. */
export async function connectAgent(url: string, token: string): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit })
  // The types of the SDK are not written for `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport)
  onTestFinished(() => client.close())
  return {
    client,
    async call(name, args = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      const [{ text }] = content as [{ readonly text: string }]
      const lines = text.split('\n')
      const body = isError === true ? {} : JSON.parse(lines.at(-1) ?? '')
      return { sentence: lines[0] ?? '', note: lines.slice(1, -1).join('\n'), body, text, isError: isError === true }
    },
  }
}
