import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Prints at the end of a run why tests were skipped. The default reporter shows only how many. */
export class SkipReasons implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((each) => [...each.children.allTests('skipped')])
    for (const reason of new Set(skipped.map(reasonOf))) {
      const tests = skipped.filter((test) => reasonOf(test) === reason)
      const files = new Set(tests.map((test) => test.module.moduleId)).size
      process.stdout.write(`  Skipped ${counted(tests.length, 'test')} of ${counted(files, 'file')}: ${reason}\n`)
    }
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? 'other tests were selected'
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
