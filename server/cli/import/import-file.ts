import { type Batch, batches } from './batches.ts'
import { type Checkpoint, nothingYet, type Progress } from './checkpoint.ts'
import { type Input, readElements } from './input.ts'
import type { Element } from './otlp-file.ts'
import { type BatchOutcome, type Sending, sendBatch } from './send-batch.ts'

export interface FileImport {
  readonly input: Input
  readonly checkpoint: Checkpoint
  /** Progress of an earlier import; undefined to start from the beginning. */
  readonly resumeFrom: Progress | undefined
  readonly sending: Sending
  readonly concurrency: number
  readonly batchBytes: number
  readonly onBytes: (count: number) => void
  readonly onOutcome: (outcome: BatchOutcome) => void
  /** Called for a file that cannot be read to its end when the import fails for another reason, which is thrown. */
  readonly onReadFault: (fault: unknown) => void
}

/** Milliseconds between checkpoints: little progress is lost in a crash, and saving costs nothing measurable. */
const saveEveryMs = 1_000

/** Imports one file. The checkpoint records the progress however the import ends; a complete import removes it. */
export async function importFile(file: FileImport): Promise<Progress> {
  const acknowledgements = createAcknowledgements(file.resumeFrom ?? nothingYet)
  const saving = setInterval(() => void file.checkpoint.save(acknowledgements.progress).catch(() => {}), saveEveryMs)
  try {
    await file.checkpoint.save(acknowledgements.progress)
    await sendAll(file, (batch) => acknowledgements.expect(batch))
  } catch (error) {
    clearInterval(saving)
    await file.checkpoint.save(acknowledgements.progress)
    throw error
  } finally {
    clearInterval(saving)
  }
  await file.checkpoint.remove()
  return acknowledgements.progress
}

/**
 * Sends all batches with at most `concurrency` concurrent requests. Reading waits for the server, so at most that many
 * batches are in memory. When reading or a request fails, the requests in flight are still awaited, because their
 * responses advance the checkpoint. A request that failed is thrown before a fault of the file.
 */
async function sendAll(file: FileImport, expect: (batch: Batch) => (outcome: BatchOutcome) => void): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  const start = async (batch: Batch, encoding: NonNullable<Input['encoding']>) => {
    const acknowledge = expect(batch)
    const outcome = await sendBatch({ batch, encoding, idempotencyKey: keyOf(file.input, batch) }, file.sending)
    acknowledge(outcome)
    file.onOutcome(outcome)
  }
  const { encoding } = file.input
  if (encoding === undefined) return
  try {
    for await (const batch of batches(unsent(file), file.batchBytes)) {
      const request = start(batch, encoding)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(request))
      underWay.add(request)
      if (underWay.size >= file.concurrency) await Promise.race(underWay)
      if (failures.length > 0) break
    }
  } catch (fault) {
    await Promise.all(underWay)
    if (failures.length === 0) throw fault
    file.onReadFault(fault)
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
}

/** The key is the same whenever the file is imported, so that its records are stored once. */
function keyOf({ fingerprint }: Input, { elements }: Batch): string {
  return `${fingerprint}:${elements[0]?.end}-${elements.at(-1)?.end}`
}

async function* unsent({ input, resumeFrom = nothingYet, onBytes }: FileImport): AsyncGenerator<Element> {
  for await (const element of readElements(input, { start: resumeFrom.documentStart, onBytes })) {
    if (element.end > resumeFrom.end) yield element
  }
}

/**
 * Derives progress without gaps from responses that arrive in any order: it advances to the end of a batch when that
 * batch and every earlier one is acknowledged. A resumed import sends batches beyond a gap again and counts them once.
 */
export interface Acknowledgements {
  /** Must be called in the order of the file. Returns a function that records the outcome of the batch. */
  expect(batch: Batch): (outcome: BatchOutcome) => void
  readonly progress: Progress
}

export function createAcknowledgements(from: Progress): Acknowledgements {
  let progress = from
  const expected: { readonly batch: Batch; outcome: BatchOutcome | undefined }[] = []
  const advance = () => {
    while (expected[0]?.outcome !== undefined) {
      const { batch, outcome } = expected.shift() as { batch: Batch; outcome: BatchOutcome }
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
      const entry = { batch, outcome: undefined as BatchOutcome | undefined }
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
