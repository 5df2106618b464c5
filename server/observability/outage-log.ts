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

export interface OutageMessages {
  readonly failure: string
  readonly recovery: string
}

export interface OutageTiming {
  /**
   * The milliseconds without a failure after which a success ends an outage; none by default. Where some operations
   * fail while others succeed, as those of one shard do, each success would end an outage otherwise.
   */
  readonly quietMs: number
  readonly monotonicMs?: () => number
}

/**
 * More than the pause after which senders and clients try again, so that all that is refused in an outage belongs to
 * one.
 */
export const outageQuietMs = 10_000

export function createOutageLog(
  logger: OutageLogger,
  { failure, recovery }: OutageMessages,
  { quietMs, monotonicMs = () => performance.now() }: OutageTiming = { quietMs: 0 },
): OutageLog {
  let failedAt: number | undefined
  return {
    failed(error) {
      if (failedAt === undefined) logger.warn({ err: error }, failure)
      failedAt = monotonicMs()
    },
    succeeded() {
      if (failedAt === undefined || monotonicMs() - failedAt < quietMs) return
      failedAt = undefined
      logger.info({}, recovery)
    },
  }
}
