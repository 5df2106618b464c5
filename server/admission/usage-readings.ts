import type { OutageLog } from '../observability/outage-log.ts'

/** How much an organization uses. */
export interface Usage {
  readonly amount: number
}

export interface UsageReadingsOptions<Read extends Usage> {
  readonly read: (org: string) => Promise<Read>
  readonly now: () => Date
  readonly outages: OutageLog
}

/** How long a reading counts as current. Later it is repeated in the background. */
const currentMsMax = 15_000
/** Organizations that have sent nothing for this long are forgotten. */
const keptMsMax = 600_000

interface Reading<Read> {
  readonly value: Read
  readonly atMs: number
}

/** What organizations use of a store, read when they send telemetry. */
export class UsageReadings<Read extends Usage> {
  private readonly options: UsageReadingsOptions<Read>
  private readonly last = new Map<string, Reading<Read>>()
  private readonly running = new Map<string, Promise<void>>()

  constructor(options: UsageReadingsOptions<Read>) {
    this.options = options
  }

  /** Returns the last reading. Only the first one of an organization is waited for. Undefined if it failed. */
  async of(org: string): Promise<Read | undefined> {
    const nowMs = this.options.now().getTime()
    const known = this.last.get(org)
    const isCurrent = known !== undefined && Math.abs(nowMs - known.atMs) < currentMsMax
    if (isCurrent) return known.value
    const refreshed = this.refresh(org)
    if (known === undefined) await refreshed
    return this.last.get(org)?.value
  }

  /** The largest amount of all organizations that send telemetry; 0 without any. */
  get largest(): number {
    return Math.max(0, ...[...this.last.values()].map(({ value }) => value.amount))
  }

  private refresh(org: string): Promise<void> {
    const running = this.running.get(org) ?? this.read(org).finally(() => this.running.delete(org))
    this.running.set(org, running)
    return running
  }

  private async read(org: string): Promise<void> {
    const { read, now, outages } = this.options
    try {
      const value = await read(org)
      const atMs = now().getTime()
      outages.succeeded()
      this.last.set(org, { value, atMs })
      for (const [other, reading] of this.last) if (atMs - reading.atMs > keptMsMax) this.last.delete(other)
    } catch (error) {
      // Telemetry is not refused because its quota is unknown: ClickHouse refuses it if it cannot store it.
      outages.failed(error)
    }
  }
}
