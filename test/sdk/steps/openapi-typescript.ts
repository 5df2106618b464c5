import { stepOfGenerator } from '../typescript-programs.ts'

export const openapiTypescript = stepOfGenerator(
  'openapi-typescript@7.13.0',
  ['openapi-fetch@0.17.0'],
  'openapi_typescript.ts',
)
