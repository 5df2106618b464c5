import { attributesMax, valueDepthMax } from './record-limits.ts'

/** How many records of a request were stored, and why the others were not. Senders receive it as a partial success. */
export interface Outcome {
  readonly accepted: number
  readonly rejected: number
  /** An English message; empty if everything was stored unchanged. */
  readonly message: string
}

/** Repairs: what is counted, and what happened to it. */
const repairTexts = {
  excess: ['attribute', `dropped: a resource, scope, record, event or link has more than ${attributesMax}`],
  longKeys: ['attribute', 'dropped: the key is longer than 256 characters'],
  brokenKeys: ['attribute', 'dropped: the key is not valid UTF-8'],
  deepValues: ['attribute', `dropped: the value is nested more than ${valueDepthMax} levels deep`],
  deepBodies: ['log record', `stored without a body: the body is nested more than ${valueDepthMax} levels deep`],
  badIds: ['log record id', 'dropped: a trace id must have 16 bytes, a span id 8 bytes'],
  badExemplarIds: ['exemplar id', 'dropped: a trace id must have 16 bytes, a span id 8 bytes'],
  emptyMetrics: ['metric', 'skipped: it has no data of a kind that OTLP defines'],
  badLinks: ['link', 'dropped: a trace id must be empty or have 16 bytes, a span id be empty or have 8 bytes'],
  repairedTexts: ['string', 'changed: bytes that are not valid UTF-8, and unpaired surrogates, are replaced by U+FFFD'],
} as const

/** The number of repairs of each kind in one request. */
export type Repairs = Record<keyof typeof repairTexts, number>

/** Returns a count of 0 for each kind of repair. */
export function noRepairs(): Repairs {
  return Object.fromEntries(Object.keys(repairTexts).map((kind) => [kind, 0])) as Repairs
}

interface Rejections {
  count: number
  readonly firstAt: string
}

/** Collects the rejections and the repairs of one request. */
export class OutcomeBuilder<Fault extends string> {
  readonly repairs = noRepairs()
  private readonly noun: string
  private readonly faults: Readonly<Record<Fault, string>>
  private readonly rejections = new Map<Fault, Rejections>()
  private rejected = 0
  accepted = 0

  /** Takes the noun for one record in the singular, and the reasons for rejections as the text after "3 spans: ". */
  constructor(noun: string, faults: Readonly<Record<Fault, string>>) {
    this.noun = noun
    this.faults = faults
  }

  /**
   * Counts a rejection. `position` returns the position of the record in the request; it is called only for the first
   * record with each fault.
   */
  reject(fault: Fault, position: () => string): void {
    this.rejected++
    const known = this.rejections.get(fault)
    if (known === undefined) this.rejections.set(fault, { count: 1, firstAt: position() })
    else known.count++
  }

  build(): Outcome {
    const { accepted, rejected } = this
    const rejections = rejected > 0 ? [this.rejectionText()] : []
    return { accepted, rejected, message: [...rejections, ...repairNotes(this.repairs)].join(' ') }
  }

  private rejectionText(): string {
    const byCount = [...this.rejections].sort(([, left], [, right]) => right.count - left.count)
    const reasons = byCount.map(
      ([fault, { count, firstAt }]) => `${counted(count, this.noun)}: ${this.faults[fault]} (first at ${firstAt})`,
    )
    const total = this.accepted + this.rejected
    return `${this.rejected} of ${counted(total, this.noun)} rejected. ${reasons.join('; ')}.`
  }
}

function repairNotes(repairs: Repairs): readonly string[] {
  return Object.entries(repairTexts).flatMap(([kind, [noun, what]]) => {
    const count = repairs[kind as keyof Repairs]
    return count === 0 ? [] : [`${counted(count, noun)} ${what}.`]
  })
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
