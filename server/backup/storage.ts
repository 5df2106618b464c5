/**
 * Where backups are kept: a local directory or an S3 bucket. Each backup is a folder named by its id. A file is named
 * by its path with slashes.
 */
export interface BackupStorage {
  /** The directory or the address of the bucket, for messages. */
  readonly address: string
  /** The local directory; absent for a bucket, whose files must be copied before ClickHouse can read them. */
  readonly directory?: string
  /** Returns the names of the folders at the top, in ascending order. */
  listFolders(): Promise<string[]>
  /** Returns the names of all files below a folder, with the name of the folder, in ascending order. */
  listFiles(folder: string): Promise<string[]>
  /** @throws StoredFileMissing when there is no such file */
  read(name: string): Promise<AsyncIterable<Uint8Array>>
  /** Stores a file completely and durably, or not at all. */
  write(name: string, content: Buffer): Promise<void>
  /**
   * Makes a file of the backup durable under its name, from the local `path` at which it was written.
   * @returns its SHA-256, in hexadecimal, and its size
   */
  publish(name: string, path: string): Promise<PublishedFile>
  /** Makes the names of published files durable. */
  sync(folder: string): Promise<void>
  removeFolder(folder: string): Promise<void>
}

export interface PublishedFile {
  readonly sha256: string
  readonly bytes: number
}

export class StoredFileMissing extends Error {
  override readonly name = 'StoredFileMissing'
}

/** Reads a small file as text. @throws StoredFileMissing */
export async function readText(storage: BackupStorage, name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await storage.read(name)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
