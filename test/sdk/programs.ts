import { fileURLToPath } from 'node:url'

/** Returns the path of a file in `test/sdk/programs/`. */
export function program(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url))
}
