import type { Handlers } from '../http/handlers.ts'
import { problem } from '../http/problem.ts'

type IntegrationOperations =
  | 'listIntegrations'
  | 'createIntegration'
  | 'getIntegration'
  | 'updateIntegration'
  | 'deleteIntegration'
  | 'addMatcher'
  | 'replaceMatchers'
  | 'deleteMatcher'
  | 'cloneIntegration'
  | 'getIntegrationStats'
  | 'getIntegrationFlowGraph'
  | 'previewIntegration'
  | 'getIntegrationGrants'
  | 'replaceIntegrationGrants'
  | 'exportConfig'
  | 'importConfig'

const missing = () => {
  throw problem('unavailable', 'Integrations are not available yet.', { retryAfterSeconds: 60 })
}

export function integrationHandlers(): Handlers<IntegrationOperations> {
  return {
    listIntegrations: missing,
    createIntegration: missing,
    getIntegration: missing,
    updateIntegration: missing,
    deleteIntegration: missing,
    addMatcher: missing,
    replaceMatchers: missing,
    deleteMatcher: missing,
    cloneIntegration: missing,
    getIntegrationStats: missing,
    getIntegrationFlowGraph: missing,
    previewIntegration: missing,
    getIntegrationGrants: missing,
    replaceIntegrationGrants: missing,
    exportConfig: missing,
    importConfig: missing,
  }
}
