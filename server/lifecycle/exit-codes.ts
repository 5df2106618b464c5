/** The exit codes of `tracefold`. A tidy test compares them with the table in docs/guide.md. */
export const exitCodes = {
  done: { code: 0, meaning: 'Success; for `import`: every record was accepted.' },
  failed: { code: 1, meaning: 'Any other error.' },
  usage: { code: 2, meaning: 'Invalid arguments or settings, or a file that does not exist.' },
  rejected: { code: 3, meaning: 'Imported, but the server rejected some records.' },
  unreachable: { code: 4, meaning: 'The server was unreachable or refused requests for too long.' },
  unauthorized: { code: 5, meaning: 'The server rejected the credentials.' },
  unreadable: { code: 6, meaning: 'A file is not complete OTLP; everything before the fault was imported.' },
  store: {
    code: 7,
    meaning: 'A store cannot be opened: it is in use, damaged, not accessible or of a newer version.',
  },
  damaged: { code: 8, meaning: 'A backup is incomplete or damaged.' },
  refused: { code: 9, meaning: 'A restore would mix its data with others, or another backup or restore is running.' },
  interrupted: { code: 130, meaning: 'Interrupted; `import --resume`, or `migrate` again, continues from there.' },
} as const

export type Exit = keyof typeof exitCodes

/** Ends the program with a one-line message and without a stack trace. */
export class ExitError extends Error {
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.name = 'ExitError'
    this.exit = exit
  }
}
