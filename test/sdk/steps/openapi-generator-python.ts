import { checkProgram } from '../answers.ts'
import { pythonWith } from '../commands.ts'
import { generate } from '../openapi-generator.ts'
import { program } from '../programs.ts'
import { importModules } from '../python-modules.ts'
import type { Step } from '../step.ts'

const packages = ['urllib3==2.7.0', 'python-dateutil==2.9.0.post0', 'pydantic==2.13.2', 'typing-extensions==4.15.0']

export const openapiGeneratorPython: Step = {
  name: 'openapi-generator-python',
  needs: ['java', 'python3'],
  async run(context) {
    const client = await generate(context, 'python')
    const python = pythonWith(context.cache, packages)
    await importModules(context, python, client)
    await checkProgram(context, python, ['-W', 'error', program('openapi_generator.py')], {
      env: { PYTHONPATH: client },
    })
  },
}
