import type { BenchServer } from './bench-server.ts'

/** The environment of a section. Sections share one server, and each uses its own organizations. */
export interface Bench {
  readonly server: BenchServer
  readonly spans: number
  readonly seed: number
  /** The number of measured runs of each figure. */
  readonly runs: number
  /** A folder in which a section keeps data that takes long to load, and finds it again. */
  readonly keptDir?: string | undefined
  /** Shows the progress of a long load on standard error. */
  readonly progress: (label: string, total: number) => Progress
  /** Writes an SVG next to the results. */
  readonly writeChart: (file: string, svg: string) => void
  /** Writes the table of docs/performance.md. */
  readonly writeHeadline: (text: string) => void
  /** Returns the command line that reproduces the figures. */
  readonly command: (section: Section) => string
}

export interface Progress {
  update(done: number): void
  stop(): void
}

/** A part of the benchmark that loads its data, measures it and returns the results as Markdown. */
export interface Section {
  /** The value of `--only` that selects the section. */
  readonly name: string
  /** Returns why the section cannot run here; absent if it always can. */
  readonly skipped?: () => string | undefined
  run(bench: Bench): Promise<string>
}
