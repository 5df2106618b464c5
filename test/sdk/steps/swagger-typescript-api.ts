import { stepOfGenerator } from '../typescript-programs.ts'

export const swaggerTypescriptApi = stepOfGenerator('swagger-typescript-api@13.13.0', [], 'swagger_typescript_api.ts')
