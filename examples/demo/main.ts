import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ConfigError, readProcessConfig } from '../../server/config/read-config.ts'
import { StartError } from '../../server/lifecycle/start-error.ts'
import { type Api, createApi } from './api.ts'
import { createAlerting, createIntegrations } from './configuration.ts'
import { classify } from './facets.ts'
import { type Answered, counted, describeAlert, describeAnswer, describeInvitation } from './print.ts'
import { describeClassified } from './print-facets.ts'
import { questions } from './questions.ts'
import { receiveWebhooks, type WebhookReceiver } from './receiver.ts'
import { type DemoServer, startDemoServer } from './server.ts'
import { logsOf, toLogsRequest } from './shop/logs.ts'
import type { ShopSpan } from './shop/message.ts'
import { metricsOf, toMetricsRequest } from './shop/metrics.ts'
import { toExportRequest } from './shop/otlp.ts'
import { drawShop, type Shop } from './shop/shop.ts'

const usage = '[PORT=<number>] npm run demo -- [--exit] [--messages <number>] [--seed <number>]'
const messagesPerRequest = 200
const examplesShown = 3
const webhookMsMax = 120_000

const print = (text: string) => process.stdout.write(`${text}\n`)

async function timed<T>(work: Promise<T>): Promise<readonly [result: T, ms: number]> {
  const start = performance.now()
  const result = await work
  return [result, performance.now() - start]
}

async function sendShop(api: Api, { messages, late }: Shop): Promise<void> {
  const spanCount = messages.reduce((count, spans) => count + spans.length, 0)
  const send = async () => {
    let rejected = 0
    for (let from = 0; from < messages.length; from += messagesPerRequest) {
      const spans = messages.slice(from, from + messagesPerRequest).flat()
      rejected += await api.send('traces', toExportRequest(spans))
    }
    return rejected
  }
  const [rejected, ms] = await timed(send())
  const rate = Math.round((spanCount / ms) * 1_000)
  print(`Sent      ${counted(spanCount)} spans of ${counted(messages.length)} messages over OTLP/HTTP`)
  print(`          in ${(ms / 1_000).toFixed(1)} s (${counted(rate)} spans/s), ${rejected} rejected`)
  await sendLogsAndMetrics(api, messages.flat())
  const before = await api.stepCount(late.traceId)
  await api.send('traces', toExportRequest([late]))
  const after = await api.stepCount(late.traceId)
  print(`Late      message ${late.traceId} had ${before} steps, and ${after} after its last span arrived`)
}

async function sendLogsAndMetrics(api: Api, spans: readonly ShopSpan[]): Promise<void> {
  const logs = logsOf(spans)
  const metrics = metricsOf(spans)
  const names = new Set(metrics.map(({ name }) => name))
  const pointCount = metrics.reduce((count, { points }) => count + points.length, 0)
  let rejected = await api.send('logs', toLogsRequest(logs))
  rejected += await api.send('metrics', toMetricsRequest(metrics))
  const points = `${counted(pointCount)} points of ${names.size} metrics`
  print(`          ${counted(logs.length)} log records and ${points}, ${rejected} rejected`)
}

async function answerQuestions(api: Api): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const [index, question] of questions.entries()) {
    const [page, searchMs] = await timed(api.search(question.search, examplesShown))
    const [count, countMs] = await timed(api.count(question.search))
    const answered = { number: index + 1, question, page, count, searchMs, countMs }
    print(`\n${describeAnswer(answered)}`)
    answers.push(answered)
  }
  return answers
}

/** @throws Error for a question without results, which CI must not accept */
function checkAnswers(answers: readonly Answered[]): void {
  const empty = answers.filter(({ page, count }) => page.messages.length === 0 || count.message_count === 0)
  if (empty.length > 0) throw new Error(`Questions without results: ${empty.map(({ number }) => number).join(', ')}`)
}

/** Sends the shop's telemetry, asks the questions and prints what a user may try. */
async function present(server: DemoServer, shop: Shop, webhooks: WebhookReceiver): Promise<void> {
  const api = createApi(server.url, server.token)
  await sendShop(api, shop)
  await createIntegrations(api)
  for (const question of questions) await api.saveView(question)
  const last = questions.at(-1)
  if (last === undefined) throw new Error('The demo has no questions.')
  await createAlerting(api, webhooks.url, last.search)
  print(`Orphaned  message ${shop.orphaned.traceId} lacks a span: its parent was lost on the way`)
  checkAnswers(await answerQuestions(api))
  print(`\n${describeClassified(await classify(api))}`)
  const { traceId } = shop.late
  const { verdict } = await api.explain(traceId, last.search)
  print(`\nWhy is message ${traceId} not among the answers to the last question?\n   ${verdict}`)
  print(`\n${describeAlert(await within(webhookMsMax, webhooks.first))}`)
  print(`\n${describeInvitation({ ...server, search: last.search, traceId })}`)
}

/** @throws Error if a webhook is not received in time */
async function within<T>(ms: number, result: Promise<T>): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new Error(`no webhook was received within ${ms / 1_000} s`)
  })
  return Promise.race([result, late])
}

function printStart({ url, grpcUrl, portInUse }: DemoServer, ms: number): void {
  print(`Server    ${url}, OTLP/gRPC ${grpcUrl}`)
  if (portInUse !== undefined) print(`          (port ${portInUse}, which the documents name, is in use)`)
  print(`          with its embedded ClickHouse, ready in ${(ms / 1_000).toFixed(1)} s`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      exit: { type: 'boolean', default: false },
      messages: { type: 'string', default: '4000' },
      seed: { type: 'string', default: '7' },
    },
  })
  if (values.help) {
    print(usage)
    return
  }
  const shop = drawShop({ seed: Number(values.seed), messageCount: Number(values.messages), until: new Date() })
  print('Tracefold demo: one hour of a web shop with twelve services\n')
  const [server, startMs] = await timed(startDemoServer(readProcessConfig().port))
  const webhooks = await receiveWebhooks((body) => print(`\nPosted    ${body}`))
  let stopping: Promise<void> | undefined
  const stop = () => {
    webhooks.stop()
    stopping ??= server.stop()
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    printStart(server, startMs)
    await present(server, shop, webhooks)
  } catch (error) {
    await stop()
    throw error
  }
  if (values.exit) await stop()
  else {
    print(`\nOpen the console (signs in once, within ten minutes): ${server.loginUrl}`)
    print('The questions above are its views; it also has three integrations, and the alert rule above.')
    print('\nThe server runs until you press Ctrl+C; its data is deleted then.')
  }
}

/** Reports whether `parseArgs` threw an error. */
function isOfArguments(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

main().catch((error: unknown) => {
  // A port that is in use, a fault of the settings or a wrong argument is explained by its message alone.
  const isExplained = error instanceof StartError || error instanceof ConfigError || isOfArguments(error)
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(`${isExplained ? message : stack}\n${usage}\n`)
  process.exitCode = 1
})
