/** The plugin that openapi/redocly.yaml names: `complete-document.ts`, compiled. */
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../server/launch/build.mjs'

const { plugin } = await import(await builtProgram(fileURLToPath(new URL('complete-document.ts', import.meta.url))))
export default plugin
