import type { Deps } from '../feature.ts'
import type { RecordTransfer } from './record-transfer.ts'
import { transferHandlers } from './transfer-handlers.ts'

/** Export and import of an organization's records. */
export function createTransfer({ metadata, now }: Deps, transfers: readonly RecordTransfer[]) {
  return { handlers: transferHandlers({ metadata, now, transfers }) }
}
