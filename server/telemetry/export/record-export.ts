/** Writes exported records as NDJSON or CSV, batch by batch. */
import { Pace } from '../../background/pace.ts'
import { csvLine } from './csv.ts'

/** The number of records of an export if the request does not limit it, which is also the maximum. */
export const exportedMax = 1_000_000

/** The media types of an export of records. */
export type RecordType = 'application/x-ndjson' | 'text/csv'

export interface RecordFormat<Exported> {
  /** The header of the CSV. */
  readonly columns: readonly string[]
  /** Returns the fields of a record in the order of the columns. */
  fieldsOf(exported: Exported): readonly (string | number | null)[]
}

/** A piece ends with the record that exceeds this number of characters. */
const pieceCharacters = 256 * 1024

/**
 * Writes the pieces of an export. NDJSON ends with a line that contains the number of records, so that a reader can
 * tell a whole file from a part.
 */
export async function* writeRecords<Exported>(
  batches: AsyncIterable<readonly Exported[]>,
  mediaType: RecordType,
  { columns, fieldsOf }: RecordFormat<Exported>,
): AsyncGenerator<Buffer> {
  const isCsv = mediaType === 'text/csv'
  const lineOf = (exported: Exported) => (isCsv ? csvLine(fieldsOf(exported)) : `${JSON.stringify(exported)}\n`)
  // Nothing is written before the first batch has been read, so that a fault can still become a problem.
  let text = isCsv ? csvLine(columns) : ''
  let count = 0
  const pace = new Pace()
  for await (const batch of batches) {
    for (const exported of batch) {
      text += lineOf(exported)
      if (text.length < pieceCharacters) continue
      yield Buffer.from(text)
      text = ''
      await pace.rest()
    }
    count += batch.length
    if (text !== '') yield Buffer.from(text)
    text = ''
  }
  if (!isCsv) text += `${JSON.stringify({ end: true, count })}\n`
  if (text !== '') yield Buffer.from(text)
}
