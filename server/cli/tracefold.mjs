#!/usr/bin/env node
/** The `tracefold` command. It compiles the program first if its TypeScript has changed. */
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../launch/build.mjs'

process.setSourceMapsEnabled(true)
const program = await builtProgram(fileURLToPath(new URL('program.ts', import.meta.url)))
const { runProgram } = await import(program)
await runProgram(process.argv.slice(2))
