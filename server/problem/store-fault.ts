/**
 * A store cannot be opened or read, for a reason that only the operator can resolve: its files are damaged, in use, not
 * accessible or of a newer version. The message names the file or directory, the cause and the remedy.
 */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
}

/** Explains an error of the file system about `path`. Returns any other error unchanged. */
export function fileFault(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new StoreFault(
    `${path} cannot be opened: ${error.message}. Set DATA_DIR to a directory that the server may write.`,
    { cause: error },
  )
}
