/** Builds the console before a browser asks for it: `npm run build`, for a server that may not write to its program. */
import { consoleBundle } from './console-bundle.ts'

await consoleBundle()
