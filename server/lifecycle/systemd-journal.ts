import { fstatSync } from 'node:fs'

/**
 * Reports whether what is written to a file descriptor is kept in the journal of systemd, which names the device and
 * the inode of its stream in JOURNAL_STREAM (systemd.exec(5)). A terminal may have inherited that variable.
 */
export function leadsToJournal(fd: number, stream = process.env.JOURNAL_STREAM): boolean {
  if (stream === undefined) return false
  const { dev, ino } = fstatSync(fd)
  return stream === `${dev}:${ino}`
}
