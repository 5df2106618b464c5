import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProgram } from '../answers.ts'
import { goEnv } from '../commands.ts'
import { documentedArguments } from '../documented-arguments.ts'
import { program } from '../programs.ts'
import type { Step } from '../step.ts'
import { refuseWarnings } from '../warnings.ts'

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.0'

const module = `module example.org/tracefold

go 1.24

require github.com/oapi-codegen/runtime v1.8.0
`

export const oapiCodegen: Step = {
  name: 'oapi-codegen',
  needs: ['go'],
  async run(context) {
    const { cache, folder, run, target } = context
    const env = goEnv(cache)
    await run('go', ['install', generator], { env })
    mkdirSync(join(folder, 'tracefold'))
    const generate = documentedArguments({ command: 'oapi-codegen', generator, url: target.url })
    const printed = await run(join(`${env.GOBIN}`, 'oapi-codegen'), generate)
    refuseWarnings(printed, [])
    writeFileSync(join(folder, 'go.mod'), module)
    cpSync(program('oapi_codegen.go'), join(folder, 'main.go'))
    await run('go', ['build', '-o', 'program', '.'], { env })
    await checkProgram(context, join(folder, 'program'), [])
  },
}
