import type { BenchServer } from './bench-server.ts'

/** What every section is given. Sections share one server, and each keeps to organizations of its own. */
export interface Bench {
  readonly server: BenchServer
  readonly spans: number
  readonly seed: number
  /** Of every figure. */
  readonly runs: number
  /** Names the place of a long load on standard error. */
  readonly progress: (label: string, total: number) => Progress
  /** Puts an SVG beside the results. */
  readonly writeChart: (file: string, svg: string) => void
  /** Returns the table for docs/performance.md. */
  readonly writeHeadline: (text: string) => void
  /** What to type for the same figures. */
  readonly command: (section: Section) => string
}

export interface Progress {
  update(done: number): void
  stop(): void
}

/** One file under bench/ that loads what it needs, measures it, and says in Markdown what came out. */
export interface Section {
  /** For `--only`. */
  readonly name: string
  run(bench: Bench): Promise<string>
}
