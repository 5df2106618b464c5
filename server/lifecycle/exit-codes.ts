/** The exit codes of `tracefold`. A tidy test holds the table in docs/guide.md equal to this one. */
export const exitCodes = {
  done: { code: 0, meaning: 'Done; for `import`: every span was accepted.' },
  failed: { code: 1, meaning: 'The program itself failed.' },
  usage: { code: 2, meaning: 'Wrong arguments or settings, or a file that is not there.' },
  rejected: { code: 3, meaning: 'Imported, but the server rejected some of the spans.' },
  unreachable: { code: 4, meaning: 'The server could not be reached, or kept refusing, for too long.' },
  unauthorized: { code: 5, meaning: 'The server refused the credentials.' },
  unreadable: { code: 6, meaning: 'A file is not whole OTLP; what came before the fault was imported.' },
  interrupted: { code: 130, meaning: 'Interrupted; `--resume` goes on from there.' },
} as const

export type Exit = keyof typeof exitCodes

/** Ends the program with one line for the person who called it, and no stack. */
export class ExitError extends Error {
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.name = 'ExitError'
    this.exit = exit
  }
}
