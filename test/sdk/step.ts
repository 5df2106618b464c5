import type { Target } from './target.ts'

/** What a step may use. */
export interface StepContext {
  readonly target: Target
  /** An empty folder of the step's own, deleted when the run ends. */
  readonly folder: string
  /** A folder for downloads that later runs reuse. Steps name their own folder below it. */
  readonly cache: string
  /** Runs a command to its end and returns what it printed. Throws if it exits with another code than 0. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<string>
}

export interface RunOptions {
  /** Defaults to the folder of the step. */
  readonly cwd?: string
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** One part of `.ci/sdk`, in a file of its own in `test/sdk/steps/`. It passes unless it throws. */
export interface Step {
  readonly name: string
  /** The commands that must be installed. Without them the step is skipped, or fails on CI. */
  readonly needs: readonly string[]
  run(context: StepContext): Promise<void>
}
