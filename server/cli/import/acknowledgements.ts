import type { Batch } from './batches.ts'
import type { Progress } from './checkpoint.ts'
import type { Outcome } from './send.ts'

/**
 * Turns answers that arrive in any order into a progress without gaps: it moves to the end of a batch when that batch and
 * every one before it is answered. What is answered beyond a gap is sent again by a resumed import, and counts once there.
 */
export interface Acknowledgements {
  /** Must be called in the order of the file. The returned function notes the batch's answer. */
  expect(batch: Batch): (outcome: Outcome) => void
  readonly progress: Progress
}

export function createAcknowledgements(from: Progress): Acknowledgements {
  let progress = from
  const expected: { readonly batch: Batch; outcome: Outcome | undefined }[] = []
  const advance = () => {
    while (expected[0]?.outcome !== undefined) {
      const { batch, outcome } = expected.shift() as { batch: Batch; outcome: Outcome }
      const last = batch.elements.at(-1) ?? progress
      progress = {
        documentStart: last.documentStart,
        end: last.end,
        accepted: progress.accepted + outcome.accepted,
        rejected: progress.rejected + outcome.rejected,
      }
    }
  }
  return {
    expect(batch) {
      const entry = { batch, outcome: undefined as Outcome | undefined }
      expected.push(entry)
      return (outcome) => {
        entry.outcome = outcome
        advance()
      }
    },
    get progress() {
      return progress
    },
  }
}
