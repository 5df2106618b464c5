import { kindOfSpan, statusOfSpan } from '#sql'
import type { components } from '../../openapi/types.ts'
import { invalid } from '../problem/problem.ts'
import { answerBytesMax } from './answer.ts'

type MessageSkeleton = components['schemas']['MessageSkeleton']

/** One step of an outline. Times are in milliseconds. */
interface OutlinedStep {
  /** Distance from the root of its tree. The parent is the last step before it with a smaller depth. */
  readonly depth: number
  readonly service: string
  readonly name: string
  readonly kind: string
  /** Absent if it was not set. */
  readonly status?: string
  /** From the start of the message. */
  readonly start_ms: number
  readonly duration_ms: number
  readonly span_id: string
}

interface Outline {
  readonly trace_id: string
  readonly started_at: string
  readonly step_count: number
  readonly error_count: number
  /** The number of steps that were left out at the beginning because the call skips them. */
  readonly skipped?: number
  readonly steps: readonly OutlinedStep[]
}

/** More steps never fit into an answer: each takes over a hundred bytes. */
const stepsMax = Math.ceil(answerBytesMax / 100)

/**
 * Reads the argument `skip`, the number of steps to leave out at the beginning.
 * @throws Problem 400 unless it is an integer from 0
 */
export function readSkip(skip: unknown): number {
  if (Number.isSafeInteger(skip) && Number(skip) >= 0) return Number(skip)
  throw invalid('/skip', 'type', 'must be an integer from 0')
}

/**
 * Converts the parallel arrays of a skeleton to steps, which are easier to read one by one, from step `skip` on, as
 * many as an answer can have.
 */
export function outlineOf(response: unknown, skip: number): Outline {
  const skeleton = response as MessageSkeleton
  const outline = {
    trace_id: skeleton.trace_id,
    started_at: skeleton.started_at,
    step_count: skeleton.span_count,
    error_count: skeleton.statuses.filter((status) => statusOfSpan(status) === 'error').length,
  }
  const steps = skeleton.span_ids.slice(skip, skip + stepsMax).map((_, at) => stepAt(skeleton, skip + at))
  return skip === 0 ? { ...outline, steps } : { ...outline, skipped: skip, steps }
}

function stepAt(skeleton: MessageSkeleton, at: number): OutlinedStep {
  const textAt = ({ dictionary, positions }: MessageSkeleton['names']) => dictionary[positions[at] as number] as string
  const status = skeleton.statuses[at] as number
  const step = {
    depth: skeleton.depths[at] as number,
    service: textAt(skeleton.services),
    name: textAt(skeleton.names),
    kind: kindOfSpan(skeleton.kinds[at] as number),
    start_ms: milliseconds(skeleton.start_offset_ns[at]),
    duration_ms: milliseconds(skeleton.duration_ns[at]),
    span_id: skeleton.span_ids[at] as string,
  }
  return status === 0 ? step : { ...step, status: statusOfSpan(status) }
}

/** Rounds to microseconds. */
function milliseconds(nanoseconds: number | string | undefined): number {
  return Math.round(Number(nanoseconds) / 1_000) / 1_000
}
