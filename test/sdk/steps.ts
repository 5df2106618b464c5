import type { Step } from './step.ts'
import { collector } from './steps/collector.ts'
import { heyApi } from './steps/hey-api.ts'
import { mcpPython } from './steps/mcp-python.ts'
import { oapiCodegen } from './steps/oapi-codegen.ts'
import { openapiGeneratorGo } from './steps/openapi-generator-go.ts'
import { openapiGeneratorJava } from './steps/openapi-generator-java.ts'
import { openapiGeneratorPython } from './steps/openapi-generator-python.ts'
import { openapiGeneratorTypescript } from './steps/openapi-generator-typescript.ts'
import { openapiPythonClient } from './steps/openapi-python-client.ts'
import { openapiTypescript } from './steps/openapi-typescript.ts'
import { schemathesis } from './steps/schemathesis.ts'
import { sendersGo } from './steps/senders-go.ts'
import { sendersJava } from './steps/senders-java.ts'
import { sendersPython } from './steps/senders-python.ts'
import { swaggerTypescriptApi } from './steps/swagger-typescript-api.ts'

/** The steps of `.ci/sdk`, in the order in which they run. */
export const steps: readonly Step[] = [
  openapiPythonClient,
  heyApi,
  openapiTypescript,
  swaggerTypescriptApi,
  oapiCodegen,
  openapiGeneratorPython,
  openapiGeneratorGo,
  openapiGeneratorJava,
  openapiGeneratorTypescript,
  sendersPython,
  sendersGo,
  sendersJava,
  mcpPython,
  schemathesis,
  collector,
]
