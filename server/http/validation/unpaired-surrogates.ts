import { pointerTo } from '../../problem/json-pointer.ts'
import type { FieldFault } from '../../problem/problem.ts'

/**
 * Returns the faults of texts and field names in a JSON value that contain an unpaired surrogate. JSON can escape one,
 * but UTF-8 cannot encode it: in a query it would become U+FFFD, which is another text. `rootPointer` locates the
 * value.
 */
export function unpairedSurrogates(root: unknown, rootPointer: string): readonly FieldFault[] {
  const faults: FieldFault[] = []
  const refuse = (pointer: string, message: string) => faults.push({ pointer, code: 'malformed_text', message })
  const found: { readonly value: unknown; readonly pointer: string }[] = [{ value: root, pointer: rootPointer }]
  for (const { value, pointer } of found) {
    if (typeof value === 'string') {
      if (isUnpaired(value)) refuse(pointer, 'must not contain an unpaired surrogate')
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) {
        if (isUnpaired(name)) refuse(pointer, 'must not have a field whose name contains an unpaired surrogate')
        else found.push({ value: field, pointer: pointer + pointerTo(name) })
      }
    }
  }
  return faults
}

function isUnpaired(text: string): boolean {
  return /\p{Cs}/u.test(text)
}
