import { deepStrictEqual } from 'node:assert'
import { tools } from '../../../server/mcp/tools.ts'
import { pythonWith } from '../commands.ts'
import { program } from '../programs.ts'
import type { Step } from '../step.ts'

const packages = ['mcp==2.3.0']

/** The modes of the client, and the version that it speaks with this server in each. */
const versions = { auto: '2026-07-28', '2026-07-28': '2026-07-28', legacy: '2025-11-25' }

/** Asks with the client of the MCP SDK for Python, with and without a session. */
export const mcpPython: Step = {
  name: 'mcp-python',
  needs: ['python3'],
  async run({ cache, target, run }) {
    const python = pythonWith(cache, packages)
    for (const [mode, version] of Object.entries(versions)) {
      const printed = await run(python, [program('mcp_client.py'), target.url, target.token, mode])
      const { count, ...answer } = JSON.parse(printed)
      deepStrictEqual(answer, {
        version,
        tools: tools.map(({ name }) => name),
        refused: 'Invalid request (400 invalid_request): /rows must be an array, not a number.',
      })
      if (!(count.message_count > 0)) throw new Error(`${mode} counts ${JSON.stringify(count)}`)
    }
  },
}
