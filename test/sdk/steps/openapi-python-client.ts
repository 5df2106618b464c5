import { writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { checkProgram } from '../answers.ts'
import { pythonWith } from '../commands.ts'
import { documentedArguments } from '../documented-arguments.ts'
import { program } from '../programs.ts'
import type { Step } from '../step.ts'

const packages = ['openapi-python-client==0.29.0'] as const

/** The generator does not know the media type of OTLP in protobuf. */
const settings = { content_type_overrides: { 'application/x-protobuf': 'application/octet-stream' } }

export const openapiPythonClient: Step = {
  name: 'openapi-python-client',
  needs: ['python3'],
  async run(context) {
    const { cache, folder, run, target } = context
    const python = pythonWith(cache, packages)
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
    const bin = dirname(python)
    const [generator] = packages
    const generate = documentedArguments({ command: 'openapi-python-client', generator, url: target.url })
    // The generator formats its code with Ruff, which is beside it.
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
    await run(join(bin, 'openapi-python-client'), [...generate, '--fail-on-warning'], { env })
    await run(python, ['-m', 'compileall', '-q', 'tracefold'])
    await checkProgram(context, python, ['-W', 'error', program('openapi_python_client.py')], {
      env: { PYTHONPATH: folder },
    })
  },
}
