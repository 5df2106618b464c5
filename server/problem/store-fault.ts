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
  return new StoreFault(`${path} cannot be opened: ${error.message}. ${remedyOf(error)}`, { cause: error })
}

/** Runs `work` on a file or directory, and explains an error of the file system. */
export function withFileFault<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileFault(path, error)
  }
}

/** The files of a data directory are its owner's own, so one of the wrong kind is moved aside, never deleted. */
function remedyOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Free space there, or enlarge the disk, and start again.'
  return code === 'EISDIR' || code === 'EEXIST'
    ? 'Move it away, or set another DATA_DIR.'
    : 'Set DATA_DIR to a directory that the server may write.'
}
