import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProgram } from '../answers.ts'
import { goEnv } from '../commands.ts'
import { generate } from '../openapi-generator.ts'
import { program } from '../programs.ts'
import type { Step } from '../step.ts'

const module = `module example.org/tracefold

go 1.23

require gopkg.in/validator.v2 v2.0.1
`

export const openapiGeneratorGo: Step = {
  name: 'openapi-generator-go',
  needs: ['java', 'go'],
  async run(context) {
    const client = await generate(context, 'go')
    writeFileSync(join(client, 'go.mod'), module)
    mkdirSync(join(client, 'cmd'))
    cpSync(program('openapi_generator.go'), join(client, 'cmd', 'main.go'))
    const settings = { cwd: client, env: goEnv(context.cache) }
    await context.run('go', ['build', '-o', 'program', './cmd'], settings)
    await checkProgram(context, join(client, 'program'), [])
  },
}
