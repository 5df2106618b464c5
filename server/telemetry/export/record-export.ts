/** Writes exported records as text, such as NDJSON or CSV, batch by batch. */
import { Pace } from '../../background/pace.ts'
import { csvLine } from './csv.ts'

/** The number of records of an export if the request does not limit it, which is also the maximum. */
export const exportedMax = 1_000_000

/** The fields of exported records, for formats that have columns. */
export interface RecordFields<Exported> {
  readonly columns: readonly string[]
  /** Returns the fields of a record in the order of the columns. */
  fieldsOf(exported: Exported): readonly (string | number | null)[]
}

/** How an export is written: what precedes the records, each record, and what follows them. */
interface RecordFormat {
  readonly begin: (columns: readonly string[]) => string
  readonly write: <Exported>(exported: Exported, fieldsOf: RecordFields<Exported>['fieldsOf']) => string
  readonly end: (count: number) => string
}

const recordFormats = {
  'application/x-ndjson': {
    begin: () => '',
    write: (exported) => `${JSON.stringify(exported)}\n`,
    // By the number of records, a reader can tell a whole file from a part.
    end: (count) => `${JSON.stringify({ end: true, count })}\n`,
  },
  'text/csv': {
    begin: csvLine,
    write: (exported, fieldsOf) => csvLine(fieldsOf(exported)),
    end: () => '',
  },
} as const satisfies Readonly<Record<string, RecordFormat>>

/** The media types of an export of records. */
export type RecordType = keyof typeof recordFormats

/** A piece ends with the record that exceeds this number of characters. */
const pieceCharacters = 256 * 1024

/** Writes the pieces of an export. */
export async function* writeRecords<Exported>(
  batches: AsyncIterable<readonly Exported[]>,
  mediaType: RecordType,
  { columns, fieldsOf }: RecordFields<Exported>,
): AsyncGenerator<Buffer> {
  const { begin, write, end }: RecordFormat = recordFormats[mediaType]
  // Nothing is written before the first batch has been read, so that a fault can still become a problem.
  let text = begin(columns)
  let count = 0
  const pace = new Pace()
  for await (const batch of batches) {
    for (const exported of batch) {
      text += write(exported, fieldsOf)
      if (text.length < pieceCharacters) continue
      yield Buffer.from(text)
      text = ''
      await pace.rest()
    }
    count += batch.length
    if (text !== '') yield Buffer.from(text)
    text = ''
  }
  text += end(count)
  if (text !== '') yield Buffer.from(text)
}
