import { join } from 'node:path'
import { documentedArguments } from '../documented-arguments.ts'
import type { Step } from '../step.ts'
import { checkTypescript, nodeModulesWith } from '../typescript-programs.ts'
import { refuseWarnings } from '../warnings.ts'

const packages = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  'esbuild@0.28.2',
  '@types/node@20.19.43',
] as const

export const openapiTypescript: Step = {
  name: 'openapi-typescript',
  needs: ['node', 'npm'],
  async run(context) {
    const { cache, run, target } = context
    const modules = nodeModulesWith(cache, packages)
    const [generator] = packages
    const generate = documentedArguments({ command: generator, generator, url: target.url })
    refuseWarnings(await run(join(modules, '.bin/openapi-typescript'), generate), [])
    await checkTypescript(context, modules, 'openapi_typescript.ts')
  },
}
