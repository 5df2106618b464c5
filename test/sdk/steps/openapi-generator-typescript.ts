import { generate } from '../openapi-generator.ts'
import type { Step } from '../step.ts'
import { checkTypescript, nodeModulesWith } from '../typescript-programs.ts'

const packages = ['typescript@5.9.3', 'esbuild@0.28.2', '@types/node@20.19.43']

export const openapiGeneratorTypescript: Step = {
  name: 'openapi-generator-typescript',
  needs: ['java', 'node', 'npm'],
  async run(context) {
    await generate(context, 'typescript-fetch')
    await checkTypescript(context, nodeModulesWith(context.cache, packages), 'openapi_generator.ts')
  },
}
