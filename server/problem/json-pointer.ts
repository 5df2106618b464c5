/** JSON pointers (RFC 6901), which locate a value in a document. The empty pointer locates the whole document. */

/** Returns the pointer to the value that is found by these names, or positions in arrays, one below the other. */
export function pointerTo(...names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the names in a pointer. Positions in arrays are decimal texts. */
export function namesInPointer(pointer: string): string[] {
  const escaped = pointer.split('/').slice(1)
  return escaped.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
