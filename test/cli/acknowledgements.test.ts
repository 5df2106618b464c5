import { expect, it } from 'vitest'
import { batchOf } from '../../server/cli/import/batches.ts'
import { nothingYet } from '../../server/cli/import/checkpoint.ts'
import { createAcknowledgements } from '../../server/cli/import/import-file.ts'

const batchTo = (end: number) =>
  batchOf([{ bytes: Buffer.alloc(1), signal: 'traces', recordCount: 10, documentStart: end - 100, end }])
const accepted = { accepted: 10, rejected: 0, reasons: [] }

it('progress advances only when every earlier batch is acknowledged', () => {
  const acknowledgements = createAcknowledgements(nothingYet)
  const [first, second, third] = [100, 200, 300].map((end) => acknowledgements.expect(batchTo(end)))
  third?.(accepted)
  second?.(accepted)
  expect(acknowledgements.progress).toEqual(nothingYet)
  first?.(accepted)
  expect(acknowledgements.progress).toEqual({ documentStart: 200, end: 300, accepted: 30, rejected: 0 })
})

it('progress adds to the progress of the earlier import', () => {
  const acknowledgements = createAcknowledgements({ documentStart: 0, end: 100, accepted: 8, rejected: 2 })
  acknowledgements.expect(batchTo(200))({ accepted: 9, rejected: 1, reasons: ['zero ids'] })
  expect(acknowledgements.progress).toEqual({ documentStart: 100, end: 200, accepted: 17, rejected: 3 })
})
