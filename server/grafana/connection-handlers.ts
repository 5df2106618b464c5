import { readDocument } from '../http/contract/document.ts'
import type { Handlers } from '../http/contract/handlers.ts'

/** Grafana offers a streaming search, which this server does not have, from version 2.2 of Tempo. */
const tempoVersion = '2.1.0'

/** Creates the handlers of the requests with which Grafana tests a data source. */
export function connectionHandlers(): Handlers<'getTempoEcho' | 'getTempoBuildInfo'> {
  const { version } = readDocument().info as { readonly version: string }
  const unknown = { branch: '', buildUser: '', buildDate: '', goVersion: '' }
  return {
    getTempoEcho: () => ({ status: 200, stream: { pieces: echo(), heldBytes: 0 } }),
    getTempoBuildInfo: () => ({
      status: 200,
      body: { version: tempoVersion, revision: `tracefold-${version}`, ...unknown },
    }),
  }
}

async function* echo(): AsyncGenerator<Buffer> {
  yield Buffer.from('echo')
}
