/**
 * Runs a program that is written in TypeScript: `node server/launch/run.mjs <file> [arguments]`. Stack traces name
 * lines of the source.
 */
import { builtProgram } from './build.mjs'

process.argv.splice(1, 1)
process.setSourceMapsEnabled(true)
await import(await builtProgram(process.argv[1]))
