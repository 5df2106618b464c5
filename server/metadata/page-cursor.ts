import { problem } from '../http/problem.ts'

/**
 * The cursor of a list of records: the place after the last item, tied to the query that the list answers. `query` names
 * the list and all that selects or orders its items, the organization included, but not the size of the page.
 */
export function encodePageCursor(query: string, after: string): string {
  return Buffer.from(JSON.stringify([query, after])).toString('base64url')
}

/** The place that `encodePageCursor` was given; throws the problem `invalid_cursor` for another query's, or for any other text. */
export function decodePageCursor(query: string, cursor: string): string {
  const content = parse(cursor)
  if (Array.isArray(content) && content.length === 2 && content[0] === query && typeof content[1] === 'string') {
    return content[1]
  }
  throw problem('invalid_cursor', 'Begin again without a cursor, or send it with the query that it came from.', {
    errors: [{ pointer: '#/query/cursor', code: 'invalid_cursor', message: 'belongs to another query, or to none' }],
  })
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
