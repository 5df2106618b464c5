import { fstatSync } from 'node:fs'

/**
 * Reports whether what is written to a file descriptor is kept in the journal of systemd.
 * @param stream the device and the inode of the journal's stream, as JOURNAL_STREAM names them (systemd.exec(5)). A
 * terminal may have inherited that variable
 */
export function leadsToJournal(fd: number, stream: string | undefined): boolean {
  if (stream === undefined) return false
  const { dev, ino } = fstatSync(fd)
  return stream === `${dev}:${ino}`
}
