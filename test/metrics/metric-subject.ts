import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp, type Whom } from '../support/app.ts'
import { type SeriesModel, toOtlpMetrics } from '../support/metric-model.ts'
import type { MetricLine, MetricQuestion } from '../support/reference-metrics.ts'
import { fromRfc3339, toRfc3339 } from '../support/reference-time.ts'

type MetricData = components['schemas']['MetricData']

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/** The real server over HTTP, which receives metrics as OTLP. */
export interface MetricSubject {
  readonly app: TestApp
  /** Stores series. @throws Error unless every point was accepted */
  store(org: string, series: readonly SeriesModel[]): Promise<void>
  send<Body>(org: string, path: string, body: object, whom?: Whom): Promise<Answer<Body>>
  /** Runs a query. Returns undefined when it is rejected. */
  ask(org: string, question: MetricQuestion): Promise<MetricLine[] | undefined>
  close(): Promise<void>
}

export async function openMetricSubject(): Promise<MetricSubject> {
  const app = await startApp({ env: { LOG_LEVEL: 'error' } })
  const send: MetricSubject['send'] = async (org, path, body, whom = {}) => {
    const response = await app.send(path, { json: body, whom: { org, role: 'viewer', ...whom } })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    app,
    send,
    async store(org, series) {
      const answer = await send(org, '/v1/metrics', toOtlpMetrics(series), { role: 'ingest' })
      if (answer.status !== 200 || JSON.stringify(answer.body) !== '{}')
        throw new Error(`not all accepted: ${answer.status} ${JSON.stringify(answer.body)}`)
    },
    async ask(org, question) {
      const answer = await send<MetricData>(org, '/api/v1/metrics/query', toMetricQuery(question))
      if (answer.status === 422) return undefined
      if (answer.status !== 200)
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)} ${JSON.stringify(app.logLines().at(-1))}`)
      return answer.body.series.map(({ points, ...line }) => ({
        ...line,
        points: points.map(([at, value]) => [fromRfc3339(at as string), value as number] as const),
      }))
    },
    close: () => app.close(),
  }
}

export function toMetricQuery({ fromNs, toNs, bucketNs, groupBy, groupsMax, ...question }: MetricQuestion) {
  return {
    ...question,
    from: toRfc3339(fromNs),
    to: toRfc3339(toNs),
    step_s: Number(bucketNs / 1_000_000_000n),
    group_by: groupBy,
    groups_max: groupsMax,
  }
}
