import { generate } from '../openapi-generator.ts'
import type { Step } from '../step.ts'
import { checkTypescript, nodeModulesWith } from '../typescript-programs.ts'

export const openapiGeneratorTypescript: Step = {
  name: 'openapi-generator-typescript',
  needs: ['java', 'node', 'npm'],
  async run(context) {
    await generate(context, 'typescript-fetch')
    await checkTypescript(context, nodeModulesWith(context.cache, []), 'openapi_generator.ts')
  },
}
