import { collectFaults } from '../problem/collect-faults.ts'
import { type FieldFault, invalidFields } from '../problem/problem.ts'
import { type ImportCounts, type ImportMode, Interrupted } from './record-transfer.ts'

interface Named {
  readonly name: string
}

/**
 * The records of one section of an import, each read by `read` at its own pointer. `nameField` is what names a record.
 * @throws Problem 400 with every fault of every record, a name that occurs twice among them
 */
export function readNamedRecords<Sent, Content>(
  records: readonly Sent[],
  pointer: string,
  read: (record: Sent, pointer: string) => Content,
  nameField: keyof Sent & string = 'name' as keyof Sent & string,
): readonly Content[] {
  const faults: FieldFault[] = []
  const names = new Set<unknown>()
  const contents = records.map((record, index) => {
    const at = `${pointer}/${index}`
    if (names.has(record[nameField]))
      faults.push({
        pointer: `${at}/${nameField}`,
        code: 'duplicate',
        message: `a record before it has this ${nameField}`,
      })
    names.add(record[nameField])
    return collectFaults(faults, () => read(record, at))
  })
  if (faults.length > 0) throw invalidFields(faults)
  return contents.filter((content) => content !== undefined)
}

/**
 * The records of one organization, as an import reads and writes them. `replace` and `remove` resolve to undefined or false
 * when the record is no longer the one that was read.
 */
export interface NamedRecords<Content extends Named, Stored extends Named> {
  all(): Promise<readonly Stored[]>
  isUnchanged(stored: Stored, content: Content): boolean
  insert(content: Content): Promise<unknown>
  replace(stored: Stored, content: Content): Promise<unknown>
  remove(stored: Stored): Promise<unknown>
}

/** Brings what is stored to what is imported, matched by name. A merge leaves what the import does not name. */
export async function importByName<Content extends Named, Stored extends Named>(
  contents: readonly Content[],
  mode: ImportMode,
  records: NamedRecords<Content, Stored>,
): Promise<ImportCounts> {
  const result = { created: 0, updated: 0, unchanged: 0, deleted: 0 }
  const byName = new Map(contents.map((content) => [content.name, content]))
  for (const stored of await records.all()) {
    const content = byName.get(stored.name)
    byName.delete(stored.name)
    if (content === undefined && mode === 'merge') continue
    result[await bringTo(stored, content, records)] += 1
  }
  for (const content of byName.values()) {
    await records.insert(content)
    result.created += 1
  }
  return result
}

/** Without content the record is deleted. */
async function bringTo<Content extends Named, Stored extends Named>(
  stored: Stored,
  content: Content | undefined,
  records: NamedRecords<Content, Stored>,
): Promise<'updated' | 'unchanged' | 'deleted'> {
  if (content !== undefined && records.isUnchanged(stored, content)) return 'unchanged'
  const written = content === undefined ? await records.remove(stored) : await records.replace(stored, content)
  if (written === undefined || written === false) throw new Interrupted('A record changed in the middle of an import.')
  return content === undefined ? 'deleted' : 'updated'
}
