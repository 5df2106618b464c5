import { TracefoldProblem } from '../../app/api.ts'

/** Returns what a problem says about a field, by the JSON pointer of the field, or undefined. */
export function problemAt(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof TracefoldProblem)) return undefined
  const own = error.errors.filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`))
  return own.length === 0 ? undefined : own.map(({ message }) => message).join(' ')
}

/** Whether everything that a problem says is about one of these fields, which show it themselves. */
export function isAtFields(error: Error | null, pointers: readonly string[]): boolean {
  if (!(error instanceof TracefoldProblem) || error.errors.length === 0) return false
  return error.errors.every(({ pointer }) =>
    pointers.some((each) => pointer === each || pointer.startsWith(`${each}/`)),
  )
}
