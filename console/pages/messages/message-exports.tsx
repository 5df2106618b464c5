import { api, dataOf } from '../../app/api.ts'
import type { MessagesSearch } from '../../app/search.ts'
import { ExportMenu } from '../../parts/export/export-menu.tsx'
import { exportedWords } from '../../parts/export/exported-words.ts'
import type { MessageFilter } from './message-query.ts'

const formats = [
  { id: 'csv', words: 'Messages as CSV', type: 'text/csv', extension: 'csv' },
  { id: 'ndjson', words: 'Messages as NDJSON', type: 'application/x-ndjson', extension: 'ndjson' },
] as const

interface MessageExportsProps {
  readonly filter: MessageFilter
  readonly search: MessagesSearch
}

/** Exports all matching messages, not only those that are listed. */
export function MessageExports({ filter, search: { order, columns } }: MessageExportsProps) {
  const isByTime = order === undefined || order === 'newest' || order === 'oldest'
  const body = {
    ...filter,
    ...(order === 'oldest' ? { order } : {}),
    ...(columns === undefined ? {} : { columns: [...columns] }),
  }
  const choices = formats.map(({ id, words, type, extension }) => ({
    id,
    words,
    fileName: `messages.${extension}`,
    read: (signal: AbortSignal) =>
      dataOf(api.POST('/api/v1/messages/export', { body, headers: { Accept: type }, parseAs: 'stream', signal })),
  }))
  const first = order === 'oldest' ? 'oldest' : 'newest'
  const note = `${exportedWords('messages')}, ${first} first${isByTime ? '' : ': exports are in order of time'}.`
  return <ExportMenu choices={choices} note={note} />
}
