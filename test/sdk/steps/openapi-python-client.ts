import { delimiter, dirname, join } from 'node:path'
import { checkProgram } from '../answers.ts'
import { pythonWith } from '../commands.ts'
import { documentedArguments } from '../documented-arguments.ts'
import { program } from '../programs.ts'
import { importModules } from '../python-modules.ts'
import type { Step } from '../step.ts'
import { refuseWarnings } from '../warnings.ts'

const packages = ['openapi-python-client==0.29.0'] as const

/**
 * The generator does not know the media type of OTLP in protobuf, so its client sends JSON only. With a setting that
 * names the type, the client lacks an import where a body has two types, and reads responses in protobuf as JSON.
 */
const otlpInJson = /WARNING parsing POST \/v1\/\w+ within ingest\.\s+Unsupported content type application\/x-protobuf/g

/** The heading of all warnings, and the bodies that follow each, of which an example has the severity ERROR. */
const explained = [/^Warning\(s\) encountered/, /^RequestBody\(/]

export const openapiPythonClient: Step = {
  name: 'openapi-python-client',
  needs: ['python3'],
  async run(context) {
    const { cache, folder, run, target } = context
    const python = pythonWith(cache, packages)
    const bin = dirname(python)
    const [generator] = packages
    const generate = documentedArguments({ command: 'openapi-python-client', generator, url: target.url })
    // The generator formats its code with Ruff, which is beside it.
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
    const printed = await run(join(bin, 'openapi-python-client'), generate, { env })
    refuseWarnings(printed.replaceAll(otlpInJson, ''), explained)
    await importModules(context, python, folder)
    await checkProgram(context, python, ['-W', 'error', program('openapi_python_client.py')], {
      env: { PYTHONPATH: folder },
    })
  },
}
