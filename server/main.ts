import { runProgram } from './cli/program.ts'

/** `npm start` runs `tracefold serve` with the settings of the environment and the flags of the command line. */
await runProgram(['serve', ...process.argv.slice(2)])
