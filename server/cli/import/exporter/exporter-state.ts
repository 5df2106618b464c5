/**
 * What an import of a table knows of its progress, in a directory that survives being killed at any time:
 *
 *   state.json     replaced atomically: the buckets that are complete, and how much of the journal counts
 *   journal-<n>    16 bytes for each row that was sent and whose bucket is not complete: bucket and hash
 *   batch.jsonl    the request under way: it is written before it is sent, and sent again, byte for byte, after a kill
 *
 * A request that was stored but not recorded is therefore repeated exactly, which the server recognizes.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ExitError } from '../../../lifecycle/exit-codes.ts'
import type { Element, ImportSignal } from '../otlp-file.ts'
import type { BatchOutcome } from '../send-batch.ts'
import { readJsonFile, readTextFile, replaceFile } from '../state-files.ts'
import type { ExporterLayout } from './exporter-source.ts'

/** Identifies a row: its bucket, and the hash of its columns as a decimal text. */
export interface RowKey {
  readonly bucket: number
  readonly hash: string
}

interface Stored {
  readonly source: string
  readonly url: string
  readonly layout: ExporterLayout
  /** The number of requests that were recorded. */
  readonly sequence: number
  /** All buckets before this one are complete. */
  readonly complete: number
  /** The number of the journal, and how many of its bytes count. */
  readonly journal: number
  readonly journalBytes: number
  readonly accepted: number
  readonly rejected: number
}

/** A request with the rows that it contains. */
export interface PendingBatch {
  readonly elements: readonly Element[]
  readonly keys: readonly RowKey[]
}

interface StoredBatch {
  readonly sequence: number
  readonly keys: string
  readonly elements: readonly { readonly signal: ImportSignal; readonly recordCount: number }[]
}

const entryBytes = 16
/** A journal is rewritten when it has this many bytes of complete buckets, and more than half of it is. */
const uselessBytesMax = 4 * 1024 * 1024

/** The progress of an import in a directory: which buckets are complete, and which rows of others were sent. */
export class ExporterState {
  private readonly directory: string
  private stored: Stored
  /** The number of rows sent of each bucket that is not complete. */
  private readonly sent = new Map<number, number>()

  private constructor(directory: string, stored: Stored) {
    this.directory = directory
    this.stored = stored
  }

  /**
   * Opens the state in a directory, or begins one.
   * @throws ExitError if it belongs to another table or server
   */
  static async open(directory: string, begun: Pick<Stored, 'source' | 'url' | 'layout'>): Promise<ExporterState> {
    await mkdir(directory, { recursive: true })
    const known = await readJsonFile<Stored>(join(directory, 'state.json'))
    if (known !== undefined && (known.source !== begun.source || known.url !== begun.url))
      throw new ExitError(
        'usage',
        `${directory} belongs to an import of ${known.source} into ${known.url}; use another --state-dir`,
      )
    const nothing = { sequence: 0, complete: 0, journal: 0, journalBytes: 0, accepted: 0, rejected: 0 }
    const state = new ExporterState(directory, known ?? { ...begun, ...nothing })
    if (known === undefined) await state.save(state.stored)
    for (const { bucket } of await state.journalKeys()) state.count(bucket)
    return state
  }

  get progress(): Pick<Stored, 'accepted' | 'rejected' | 'complete' | 'layout'> {
    return this.stored
  }

  /** Identifies the request under way: no other one of this import has the key, and it keeps it after a kill. */
  get requestKey(): string {
    const { source, sequence } = this.stored
    return `${createHash('sha256').update(source).digest('hex')}:${sequence}`
  }

  /** Returns the number of rows sent of a bucket that is not complete. */
  sentOf(bucket: number): number {
    return this.sent.get(bucket) ?? 0
  }

  /** The number of rows sent of all buckets that are not complete. */
  get sentCount(): number {
    return [...this.sent.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Returns how often each row of some buckets was sent. */
  async sentRows(from: number, end: number): Promise<Map<string, number>> {
    const rows = new Map<string, number>()
    const isAnySent = [...this.sent.keys()].some((bucket) => bucket >= from && bucket < end)
    if (!isAnySent) return rows
    for (const key of await this.journalKeys())
      if (key.bucket >= from && key.bucket < end) rows.set(nameOf(key), (rows.get(nameOf(key)) ?? 0) + 1)
    return rows
  }

  /** Returns the request that was under way when an earlier import ended. */
  async pending(): Promise<PendingBatch | undefined> {
    const lines = (await readTextFile(this.batchPath))?.split('\n')
    if (lines === undefined) return undefined
    const { sequence, keys, elements } = JSON.parse(lines[0] ?? '') as StoredBatch
    // It was recorded, and the import ended before it could delete the file.
    if (sequence < this.stored.sequence) return undefined
    return {
      keys: readKeys(Buffer.from(keys, 'base64')),
      elements: elements.map((element, at) => ({
        ...element,
        bytes: Buffer.from(lines[at + 1] ?? ''),
        documentStart: 0,
        end: 0,
      })),
    }
  }

  /** Keeps a request before it is sent. */
  async keep({ elements, keys }: PendingBatch): Promise<void> {
    const head: StoredBatch = {
      sequence: this.stored.sequence,
      keys: writeKeys(keys).toString('base64'),
      elements: elements.map(({ signal, recordCount }) => ({ signal, recordCount })),
    }
    const lines = [Buffer.from(JSON.stringify(head)), ...elements.map(({ bytes }) => bytes)]
    const newline = Buffer.from('\n')
    await replaceFile(this.batchPath, Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [newline, line]))))
  }

  /** Records the rows of a request that the server has acknowledged. */
  async record({ keys }: PendingBatch, { accepted, rejected }: BatchOutcome): Promise<void> {
    const { journalBytes, sequence } = this.stored
    const bytes = writeKeys(keys)
    // Bytes behind those that count are of a request that was not recorded, and are overwritten.
    const file = await open(this.journalPath(this.stored.journal), journalBytes === 0 ? 'w' : 'r+')
    try {
      await file.write(bytes, 0, bytes.length, journalBytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await this.save({
      ...this.stored,
      sequence: sequence + 1,
      journalBytes: journalBytes + bytes.length,
      accepted: this.stored.accepted + accepted,
      rejected: this.stored.rejected + rejected,
    })
    for (const { bucket } of keys) this.count(bucket)
    await rm(this.batchPath, { force: true })
  }

  /** Records that all buckets before one are complete, and forgets their rows. */
  async complete(before: number): Promise<void> {
    if (before <= this.stored.complete) return
    let useful = 0
    for (const [bucket, count] of this.sent) {
      if (bucket < before) this.sent.delete(bucket)
      else useful += count * entryBytes
    }
    const useless = this.stored.journalBytes - useful
    if (useless < uselessBytesMax || useless < useful) return this.save({ ...this.stored, complete: before })
    const { journal } = this.stored
    const kept = writeKeys((await this.journalKeys()).filter(({ bucket }) => bucket >= before))
    await replaceFile(this.journalPath(journal + 1), kept)
    await this.save({ ...this.stored, complete: before, journal: journal + 1, journalBytes: kept.length })
    await rm(this.journalPath(journal), { force: true })
  }

  private count(bucket: number): void {
    if (bucket >= this.stored.complete) this.sent.set(bucket, (this.sent.get(bucket) ?? 0) + 1)
  }

  private async journalKeys(): Promise<RowKey[]> {
    const { journal, journalBytes } = this.stored
    if (journalBytes === 0) return []
    const bytes = await readFile(this.journalPath(journal))
    if (bytes.length < journalBytes) throw new ExitError('damaged', `${this.journalPath(journal)} is incomplete`)
    return readKeys(bytes.subarray(0, journalBytes))
  }

  private async save(stored: Stored): Promise<void> {
    await replaceFile(join(this.directory, 'state.json'), `${JSON.stringify(stored)}\n`)
    this.stored = stored
  }

  private get batchPath(): string {
    return join(this.directory, 'batch.jsonl')
  }

  private journalPath(number: number): string {
    return join(this.directory, `journal-${number}`)
  }
}

/** Returns the text of a row key, by which sets and maps contain it. */
export function nameOf({ bucket, hash }: RowKey): string {
  return `${bucket} ${hash}`
}

function writeKeys(keys: readonly RowKey[]): Buffer {
  const bytes = Buffer.alloc(keys.length * entryBytes)
  keys.forEach(({ bucket, hash }, at) => {
    bytes.writeBigInt64LE(BigInt(bucket), at * entryBytes)
    bytes.writeBigUInt64LE(BigInt(hash), at * entryBytes + 8)
  })
  return bytes
}

function readKeys(bytes: Buffer): RowKey[] {
  return Array.from({ length: bytes.length / entryBytes }, (_, at) => ({
    bucket: Number(bytes.readBigInt64LE(at * entryBytes)),
    hash: String(bytes.readBigUInt64LE(at * entryBytes + 8)),
  }))
}
