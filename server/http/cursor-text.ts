import { problem } from '../problem/problem.ts'

/** What a cursor is to a client: text that means nothing to it. */
export function encodeCursorText(content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** What `encodeCursorText` was given; empty for any other text. The text comes from a client, so nothing in it is trusted. */
export function decodeCursorText(text: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}

/** Problem 400 `invalid_cursor`; `pointer` is where the cursor stands in the request. */
export function foreignCursor(pointer: string): Error {
  return problem('invalid_cursor', 'Begin again without a cursor, or send it with the query that it came from.', {
    errors: [{ pointer, code: 'invalid_cursor', message: 'belongs to another query, or to none' }],
  })
}
