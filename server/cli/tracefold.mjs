#!/usr/bin/env node
/** The `tracefold` command. It registers the TypeScript loader first, because the program runs from source. */
import { register } from 'tsx/esm/api'

register()
const { runProgram } = await import('./program.ts')
await runProgram(process.argv.slice(2))
