/** The logger methods that the log of an outage uses. */
export interface OutageLogger {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

/** Logs an outage once, however often the operation is repeated while it lasts, and then its end. */
export interface OutageLog {
  failed(error: unknown): void
  succeeded(): void
}

/** `failure` and `recovery` are the messages of the two log lines. */
export function createOutageLog(
  logger: OutageLogger,
  messages: { readonly failure: string; readonly recovery: string },
): OutageLog {
  let isOut = false
  return {
    failed(error) {
      if (!isOut) logger.warn({ err: error }, messages.failure)
      isOut = true
    },
    succeeded() {
      if (isOut) logger.info({}, messages.recovery)
      isOut = false
    },
  }
}
