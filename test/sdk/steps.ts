import type { Step } from './step.ts'
import { openapiGeneratorGo } from './steps/openapi-generator-go.ts'
import { openapiGeneratorJava } from './steps/openapi-generator-java.ts'
import { openapiGeneratorPython } from './steps/openapi-generator-python.ts'

/** The steps of `.ci/sdk`, in the order in which they run. */
export const steps: readonly Step[] = [openapiGeneratorPython, openapiGeneratorGo, openapiGeneratorJava]
