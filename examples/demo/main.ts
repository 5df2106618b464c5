import { parseArgs } from 'node:util'
import { ConfigError, readProcessConfig } from '../../server/config/read-config.ts'
import { StartError } from '../../server/lifecycle/start-error.ts'
import { type Api, createApi } from './api.ts'
import { classify } from './facets.ts'
import { type Answered, counted, describeAnswer, describeInvitation } from './print.ts'
import { describeClassified } from './print-facets.ts'
import { questions } from './questions.ts'
import { startDemoServer } from './server.ts'
import { toExportRequest } from './shop/otlp.ts'
import { drawShop, type Shop } from './shop/shop.ts'

const usage = '[PORT=<number>] npm run demo -- [--exit] [--messages <number>] [--seed <number>]'
const messagesPerRequest = 200
const examplesShown = 3
/** The most complex question, which the demo prints as an example to try. */
const lastQuestion = questions.at(-1)

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
      rejected += await api.sendSpans(toExportRequest(messages.slice(from, from + messagesPerRequest).flat()))
    }
    return rejected
  }
  const [rejected, ms] = await timed(send())
  const rate = Math.round((spanCount / ms) * 1_000)
  print(`Sent      ${counted(spanCount)} spans of ${counted(messages.length)} messages over OTLP/HTTP`)
  print(`          in ${(ms / 1_000).toFixed(1)} s (${counted(rate)} spans/s), ${rejected} rejected`)
  const before = await api.stepCount(late.traceId)
  await api.sendSpans(toExportRequest([late]))
  const after = await api.stepCount(late.traceId)
  print(`Late      message ${late.traceId} had ${before} steps, and ${after} after its last span arrived`)
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
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= server.stop()
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    print(`Server    ${server.url}, OTLP/gRPC ${server.grpcUrl}`)
    if (server.portInUse !== undefined)
      print(`          (port ${server.portInUse}, which the documents name, is in use)`)
    print(`          with its embedded ClickHouse, ready in ${(startMs / 1_000).toFixed(1)} s`)
    const api = createApi(server.url, server.token)
    await sendShop(api, shop)
    for (const question of questions) await api.saveView(question)
    print(`Orphaned  message ${shop.orphaned.traceId} lacks a span: its parent was lost on the way`)
    checkAnswers(await answerQuestions(api))
    print(`\n${describeClassified(await classify(api))}`)
    if (lastQuestion === undefined) throw new Error('The demo has no questions.')
    const { verdict } = await api.explain(shop.late.traceId, lastQuestion.search)
    print(`\nWhy is message ${shop.late.traceId} not among the answers to the last question?\n   ${verdict}`)
    const invitation = { ...server, search: lastQuestion.search, traceId: shop.late.traceId }
    print(`\n${describeInvitation(invitation)}`)
  } catch (error) {
    await stop()
    throw error
  }
  if (values.exit) await stop()
  else {
    print(`\nOpen the console (signs in once, within ten minutes): ${server.loginUrl}`)
    print('The questions above are its views.')
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
