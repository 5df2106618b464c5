/** What an organization, the machine or the operator does to the server during one part of the run. */
const phaseNames = [
  'calm',
  'stalled bodies',
  'many days',
  'many searches',
  'heavy alert rules',
  'full disk',
  'clock steps',
  'slow receivers',
] as const

export type PhaseName = (typeof phaseNames)[number]

export interface Phase {
  readonly name: PhaseName
  readonly seconds: number
  /** The process that is killed in the middle of the phase. A full disk is hard enough without a kill. */
  readonly kill: 'server' | 'engine' | undefined
}

/** The phases in which one organization floods the server and the others must not notice. */
export const floodPhases: readonly PhaseName[] = ['stalled bodies', 'many days', 'many searches', 'heavy alert rules']

/** All phases take ten minutes together, so that any ten minutes of a long run contain each of them once. */
const phaseSecondsMax = 75
const secondsPerMinute = 60

/** Plans whole rounds of all phases. A run of less than ten minutes is one round of shorter phases. */
export function planPhases(minutes: number): Phase[] {
  const roundMinutes = (phaseSecondsMax * phaseNames.length) / secondsPerMinute
  const rounds = Math.max(1, Math.round(minutes / roundMinutes))
  const seconds = (minutes * secondsPerMinute) / rounds / phaseNames.length
  let kills = 0
  return Array.from({ length: rounds }, () => phaseNames)
    .flat()
    .map((name) => {
      if (name === 'full disk') return { name, seconds, kill: undefined }
      kills += 1
      return { name, seconds, kill: kills % 2 === 1 ? 'server' : 'engine' }
    })
}
