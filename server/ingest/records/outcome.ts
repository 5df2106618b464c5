/** How many of what a request brought are stored and why the others are not; what its sender reads. */
export interface Outcome {
  readonly accepted: number
  readonly rejected: number
  /** English; empty when everything was stored as it came. */
  readonly message: string
}

interface Rejections {
  count: number
  readonly firstAt: string
}

/** Collects, over one request, what is not stored and what is stored differently from how it came. */
export class OutcomeBuilder<Fault extends string> {
  private readonly noun: string
  private readonly faults: Readonly<Record<Fault, string>>
  private readonly rejections = new Map<Fault, Rejections>()
  private readonly notes: string[] = []
  private rejected = 0
  accepted = 0

  /** `noun`: singular, `span`; `faults`: why one is rejected, in words that follow "3 spans: ". */
  constructor(noun: string, faults: Readonly<Record<Fault, string>>) {
    this.noun = noun
    this.faults = faults
  }

  /** `at` says where in the request the first one with this fault stands. */
  reject(fault: Fault, at: () => string): void {
    this.rejected++
    const known = this.rejections.get(fault)
    if (known === undefined) this.rejections.set(fault, { count: 1, firstAt: at() })
    else known.count++
  }

  /** Tells of `count` things that are stored otherwise than they came; of zero nothing is told. */
  note(count: number, noun: string, what: string): void {
    if (count > 0) this.notes.push(`${counted(count, noun)} ${what}.`)
  }

  build(): Outcome {
    return { accepted: this.accepted, rejected: this.rejected, message: this.message() }
  }

  private message(): string {
    const byCount = [...this.rejections].sort(([, left], [, right]) => right.count - left.count)
    const reasons = byCount.map(
      ([fault, { count, firstAt }]) => `${counted(count, this.noun)}: ${this.faults[fault]} (first at ${firstAt})`,
    )
    const total = this.accepted + this.rejected
    const head = `${this.rejected} of ${counted(total, this.noun)} rejected. ${reasons.join('; ')}.`
    return [...(this.rejected > 0 ? [head] : []), ...this.notes].join(' ')
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
