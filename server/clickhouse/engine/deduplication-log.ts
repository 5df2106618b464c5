/**
 * Mends what `kill -9` can do to the deduplication logs of the embedded engine's tables, before the engine reads them
 * again.
 *
 * A MergeTree table notes the id of an inserted block in its log first and gives the part its final name second. An
 * engine killed between the two remembers a block that it does not have: the sender, who got no answer, sends the body
 * again, and the engine acknowledges it as a duplicate and stores nothing. So the newest records whose part is absent
 * are taken off the log; both steps run under one lock of the table, so no other record can be wrong. A last line cut
 * short is taken off as well, since the engine would stop reading there for ever.
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
/** A record of an added block; that of a dropped one begins with 2. */
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

/** How many characters of `text` to keep, from its start. */
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
  // The current log is new and empty right after a rotation, so the newest record may stand in the one before it.
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
 * Mends the logs of every table below `dataPath`. The engine must not run.
 * @returns how many bytes of records were taken off, 0 after every orderly end
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
