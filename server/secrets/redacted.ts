/** What stands where a secret stood. */
export const redacted = '[redacted]'
