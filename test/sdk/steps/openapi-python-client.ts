import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkProgram } from '../answers.ts'
import { pythonWith } from '../commands.ts'
import { program } from '../programs.ts'
import type { Step } from '../step.ts'

const packages = ['openapi-python-client==0.29.0']

/**
 * The generator formats its code with Ruff unless the list of such hooks is empty. It does not know the media type of
 * OTLP in protobuf.
 */
const config = `post_hooks: []
content_type_overrides:
  application/x-protobuf: application/octet-stream
`

export const openapiPythonClient: Step = {
  name: 'openapi-python-client',
  needs: ['python3'],
  async run(context) {
    const { cache, folder, run, target } = context
    const python = pythonWith(cache, packages)
    const client = join(folder, 'tracefold')
    const settings = join(folder, 'config.yaml')
    writeFileSync(settings, config)
    await run(join(dirname(python), 'openapi-python-client'), [
      'generate',
      // The package alone, without the files of a project around it.
      ...['--meta', 'none', '--url', `${target.url}/openapi.json`, '--output-path', client, '--config', settings],
      '--fail-on-warning',
    ])
    await run(python, ['-m', 'compileall', '-q', client])
    await checkProgram(context, python, ['-W', 'error', program('openapi_python_client.py')], {
      env: { PYTHONPATH: folder },
    })
  },
}
