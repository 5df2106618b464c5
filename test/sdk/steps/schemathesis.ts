import { dirname, join } from 'node:path'
import { pythonWith } from '../commands.ts'
import type { Step } from '../step.ts'

const packages = ['schemathesis==4.32.5']

/** The number of requests. `SCHEMATHESIS_CASES=5000` also sends the requests at the borders of every schema. */
const cases = Number(process.env.SCHEMATHESIS_CASES ?? 300)
const casesWithBorders = 5_000

/** The most random requests to one operation. */
const perOperationMax = 20

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

export const schemathesis: Step = {
  name: 'schemathesis',
  needs: ['python3'],
  async run({ cache, folder, run, target }) {
    const { paths } = (await (await fetch(`${target.url}/openapi.json`)).json()) as { paths: Record<string, object> }
    const operations = Object.values(paths).flatMap((item) => Object.keys(item)).length
    const perOperation = Math.min(Math.ceil(cases / operations), perOperationMax)
    const phases = cases >= casesWithBorders ? 'examples,coverage,fuzzing' : 'examples,fuzzing'
    const token = await target.tokenOf('schemathesis')
    const options = [
      ...['--header', `Authorization: Bearer ${token}`, '--checks', checks.join(','), '--phases', phases],
      ...['--max-examples', String(perOperation), '--continue-on-failure', '--no-shrink', '--request-timeout', '60'],
      // It would post to the made-up addresses of channels.
      ...['--exclude-operation-id', 'testChannel', '--exclude-operation-id', 'retryDelivery', '--warnings', 'off'],
    ]
    const program = join(dirname(pythonWith(cache, packages)), 'schemathesis')
    const printed = await run(program, ['run', `${target.url}/openapi.json`, ...options], { cwd: folder })
    const generated = Number(/(\d+) generated/.exec(printed)?.[1] ?? 0)
    if (generated < cases) throw new Error(`Schemathesis sent ${generated} requests, not ${cases}:\n${printed}`)
  },
}
