import { TracefoldProblem } from '../../app/api.ts'

/** Returns the message of a problem about a field, by its JSON pointer, or undefined. */
export function problemAt(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof TracefoldProblem)) return undefined
  const own = error.errors.filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`))
  return own.length === 0 ? undefined : own.map(({ message }) => message).join(' ')
}

/** Reports whether all errors of a problem are about these fields, which show them themselves. */
export function isAtFields(error: Error | null, pointers: readonly string[]): boolean {
  if (!(error instanceof TracefoldProblem) || error.errors.length === 0) return false
  return error.errors.every(({ pointer }) =>
    pointers.some((each) => pointer === each || pointer.startsWith(`${each}/`)),
  )
}
