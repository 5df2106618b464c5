/**
 * Repairs the deduplication logs of the embedded engine's tables after `kill -9`, before the engine reads them again.
 *
 * A MergeTree table writes the id of an inserted block to its log before it gives the part its final name. If the
 * engine is killed in between, the log names a block that was never stored: the sender, which got no response, sends
 * the body again, and the engine acknowledges it as a duplicate without storing it. The repair removes the newest
 * records whose part is absent. Both writes happen under one lock of the table, so no older record can be wrong. An
 * incomplete last line is removed as well, because the engine would never read beyond it.
 */
import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import path from 'node:path'

interface Part {
  readonly partition: string
  readonly blockMin: number
  readonly blockMax: number
}

/** `<partition>_<first block>_<last block>_<level>[_<mutation>]` */
const partPattern = /^(.+?)_(\d+)_(\d+)_\d+(?:_\d+)?$/
const logPattern = /^deduplication_log_(\d+)\.txt$/
/** The record of an added block. The record of a dropped block begins with 2. */
const addedPattern = /^1\t([^\t]+)\t[^\t]+$/

function parsePart(name: string): Part | undefined {
  const [, partition, blockMin, blockMax] = partPattern.exec(name) ?? []
  if (partition === undefined) return undefined
  return { partition, blockMin: Number(blockMin), blockMax: Number(blockMax) }
}

function listFolder(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function isCovered(part: Part, parts: readonly Part[]): boolean {
  return parts.some(
    ({ partition, blockMin, blockMax }) =>
      partition === part.partition && blockMin <= part.blockMin && part.blockMax <= blockMax,
  )
}

/** Returns the number of characters at the start of `text` that are valid. */
function soundLength(text: string, parts: readonly Part[]): number {
  let end = text.lastIndexOf('\n') + 1
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 2) + 1
    const name = addedPattern.exec(text.slice(start, end - 1))?.[1]
    const part = name === undefined ? undefined : parsePart(name)
    if (part === undefined || isCovered(part, parts)) break
    end = start
  }
  return end
}

function repairTable(tableFolder: string): number {
  const logsFolder = path.join(tableFolder, 'deduplication_logs')
  const numbers = listFolder(logsFolder).flatMap((file) => Number(logPattern.exec(file)?.[1] ?? []))
  const parts = readdirSync(tableFolder).flatMap((name) => parsePart(name) ?? [])
  let removedBytes = 0
  // After a rotation the current log is empty, and the newest record is in the log before it.
  for (const number of numbers.sort((a, b) => b - a)) {
    const file = path.join(logsFolder, `deduplication_log_${number}.txt`)
    const content = readFileSync(file)
    const length = soundLength(content.toString('latin1'), parts)
    if (length < content.length) truncateSync(file, length)
    removedBytes += content.length - length
    if (length > 0) break
  }
  return removedBytes
}

/**
 * Repairs the logs of every table below `dataPath`. The engine must not be running.
 * @returns the number of bytes removed; 0 after an orderly shutdown
 */
export function repairDeduplicationLogs(dataPath: string): number {
  const store = path.join(dataPath, 'store')
  const tableFolders = listFolder(store).flatMap((prefix) =>
    listFolder(path.join(store, prefix)).map((table) => path.join(store, prefix, table)),
  )
  return tableFolders
    .filter((folder) => existsSync(path.join(folder, 'deduplication_logs')))
    .reduce((total, folder) => total + repairTable(folder), 0)
}
