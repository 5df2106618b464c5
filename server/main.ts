import { runProgram } from './cli/program.ts'

/** `npm start`: the server with the settings of its environment, and with the flags of `tracefold serve`. */
await runProgram(['serve', ...process.argv.slice(2)])
