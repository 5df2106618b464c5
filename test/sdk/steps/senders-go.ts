import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goEnv } from '../commands.ts'
import { program } from '../programs.ts'
import { checkSender } from '../senders.ts'
import type { Step } from '../step.ts'

const module = `module example.org/sender

go 1.25

require (
	go.opentelemetry.io/otel v1.47.0
	go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc v0.23.0
	go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp v0.23.0
	go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc v1.47.0
	go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp v1.47.0
	go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc v1.47.0
	go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp v1.47.0
)
`

export const sendersGo: Step = {
  name: 'senders-go',
  needs: ['go'],
  async run(context) {
    const { cache, folder, run } = context
    writeFileSync(join(folder, 'go.mod'), module)
    cpSync(program('sender.go'), join(folder, 'main.go'))
    await run('go', ['build', '-o', 'program', '.'], { env: goEnv(cache) })
    await checkSender(context, 'sender-go', [join(folder, 'program')])
  },
}
