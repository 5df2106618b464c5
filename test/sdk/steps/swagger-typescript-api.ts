import { join } from 'node:path'
import { documentedArguments } from '../documented-arguments.ts'
import type { Step } from '../step.ts'
import { checkTypescript, nodeModulesWith } from '../typescript-programs.ts'
import { refuseWarnings } from '../warnings.ts'

const packages = [
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3',
  'esbuild@0.28.2',
  '@types/node@20.19.43',
] as const

export const swaggerTypescriptApi: Step = {
  name: 'swagger-typescript-api',
  needs: ['node', 'npm'],
  async run(context) {
    const { cache, run, target } = context
    const modules = nodeModulesWith(cache, packages)
    const [generator] = packages
    const generate = documentedArguments({ command: generator, generator, url: target.url })
    refuseWarnings(await run(join(modules, '.bin/swagger-typescript-api'), generate), [])
    await checkTypescript(context, modules, 'swagger_typescript_api.ts')
  },
}
