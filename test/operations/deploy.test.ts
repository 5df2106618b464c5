import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { settings } from '../../server/config/settings.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'

const root = join(import.meta.dirname, '..', '..', 'deploy')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Metrics that Prometheus itself adds to every scrape. */
const ofPrometheus = ['up']

async function metricNames(): Promise<Set<string>> {
  const families = await createPrometheus({ collectProcess: true }).registry.getMetricsAsJSON()
  const suffixes = ['', '_bucket', '_sum', '_count']
  return new Set([...ofPrometheus, ...families.flatMap(({ name }) => suffixes.map((suffix) => name + suffix))])
}

/** Returns the names of metrics in an expression of PromQL: what is before a selector, a range or an operator. */
function namesIn(expression: string): string[] {
  const withoutLabels = expression.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, '')
  return [...withoutLabels.matchAll(/\b(?:up|(?:tracefold|process|nodejs)_\w+)\b/g)].map(([name]) => name)
}

it('the dashboard reads only metrics that the server has', async () => {
  const { panels } = JSON.parse(read('grafana/tracefold.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const known = await metricNames()
  expect(panels.length).toBeGreaterThan(8)
  for (const { title, targets } of panels) {
    const names = targets.flatMap(({ expr }) => namesIn(expr))
    expect(names.length, title).toBeGreaterThan(0)
    expect(
      names.filter((name) => !known.has(name)),
      title,
    ).toEqual([])
  }
})

it('the alert rules read only metrics that the server has', async () => {
  const expressions = [...read('prometheus/alerts.yaml').matchAll(/^ +expr: (.*)$/gm)].map(([, text = '']) => text)
  const known = await metricNames()
  expect(expressions.length).toBeGreaterThan(5)
  for (const expression of expressions) {
    expect(namesIn(expression).length, expression).toBeGreaterThan(0)
    expect(namesIn(expression).filter((name) => !known.has(name))).toEqual([])
  }
})

it('every series whose increase an alert rule watches begins with zero, so that its first event is seen', async () => {
  const text = await createPrometheus({ collectProcess: false }).registry.metrics()
  const watched = [...read('prometheus/alerts.yaml').matchAll(/increase\((\w+)(\{[^}]*\})?\[/g)]
  expect(watched.length).toBeGreaterThan(1)
  for (const [, name = '', labels] of watched) {
    const series = text.split('\n').filter((line) => line.startsWith(labels === undefined ? `${name}{` : name + labels))
    expect(series.length, `${name}${labels ?? ''}`).toBeGreaterThan(0)
    for (const line of series) expect(line).toMatch(/ 0$/)
  }
})

it('the unit and the manifest set only settings that the server reads, to valid values', () => {
  const unit = [...read('systemd/tracefold.service').matchAll(/^Environment=(\w+)=(.*)$/gm)]
  const manifest = [...read('kubernetes/tracefold.yaml').matchAll(/\{ name: ([A-Z_]+), value: '?([^'}]*?)'? \}/g)]
  expect([unit.length, manifest.length]).toEqual([5, 4])
  for (const [, name = '', value = ''] of [...unit, ...manifest]) {
    if (name === 'NODE_ENV') continue
    const setting = (settings as Record<string, { parse(text: string): unknown }>)[name]
    expect(setting, name).toBeDefined()
    expect(() => setting?.parse(value), `${name}=${value}`).not.toThrow()
  }
})

it('the manifest exposes both protocols of OTLP', () => {
  const manifest = read('kubernetes/tracefold.yaml')
  for (const [name, port] of [
    ['http', settings.PORT.default],
    ['grpc', settings.GRPC_PORT.default],
  ]) {
    expect(manifest).toContain(`{ name: ${name}, port: ${port}, targetPort: ${name}`)
    expect(manifest).toContain(`{ name: ${name}, containerPort: ${port} }`)
  }
})

it('every health check of the server in a container asks with TLS where the server has it', () => {
  const checks = ['Dockerfile', 'docker-compose.yml', 'docker-compose.cluster.yml'].flatMap((name) =>
    readFileSync(join(root, '..', name), 'utf8')
      .split('\n')
      .filter((line) => /healthz|readyz/.test(line) && /CMD|test:/.test(line)),
  )
  expect(checks.map((line) => line.includes('server/launch/probe.mjs'))).toEqual([true, true, true])
})
