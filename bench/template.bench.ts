/**
 * Measures the CPU time of rendering a compiled template of 4 KB, and of compiling it, on one core.
 *
 *   node server/launch/run.mjs bench/template.bench.ts
 *
 * Each figure is the best of many runs, which is affected least by other load on the machine.
 */
import { cpus } from 'node:os'
import { compileTemplate, renderTemplate } from '../server/webhooks/templates/template.ts'
import { sampleContext, templateVariables } from '../server/webhooks/templates/template-variables.ts'

const runs = 40
const rendersPerRun = 5_000
const compilesPerRun = 100
const templateBytes = 4_096

/** Returns a template with every variable as a whole value and within a text, filled up to 4 KB with literal text. */
function templateOf4KB(): string {
  const paths = Object.keys(templateVariables)
  const whole = Object.fromEntries(paths.map((path) => [path, `$${path}`]))
  const texts = paths.map((path) => `The value of ${path} is \${${path}}.`)
  const document = { whole, texts, runbook: '' }
  const missing = templateBytes - Buffer.byteLength(JSON.stringify(document))
  return JSON.stringify({ ...document, runbook: 'Look at the dashboard first. '.repeat(200).slice(0, missing) })
}

/** Returns the CPU microseconds of one of `times` calls, in the best run. */
function measure(times: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time += 1) work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / times)
  }
  return best
}

const text = templateOf4KB()
const template = compileTemplate(text)
const few = compileTemplate(
  text.replace(/"whole":.*?\},"texts":\[.*?\]/s, '"state":"$alert.state","text":"$alert.summary of $rule.name"'),
)
const body = renderTemplate(template, sampleContext)
const variables = 2 * Object.keys(templateVariables).length

console.log(`${cpus()[0]?.model}, Node ${process.version}`)
console.log(`template ${Buffer.byteLength(text)} bytes, ${variables} references; body ${Buffer.byteLength(body)} bytes`)
const figures: Readonly<Record<string, readonly [times: number, work: () => unknown]>> = {
  'render to bytes': [rendersPerRun, () => Buffer.from(renderTemplate(template, sampleContext))],
  'render to bytes, 3 references': [rendersPerRun, () => Buffer.from(renderTemplate(few, sampleContext))],
  compile: [compilesPerRun, () => compileTemplate(text)],
}
for (const [name, [times, work]] of Object.entries(figures)) {
  const cost = measure(times, work)
  console.log(`${name.padEnd(30)} ${cost.toFixed(2).padStart(7)} µs  ${Math.round(1e6 / cost)} a second and core`)
}
