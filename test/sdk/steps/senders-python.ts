import { dirname, join } from 'node:path'
import { pythonWith } from '../commands.ts'
import { program } from '../programs.ts'
import { checkSender } from '../senders.ts'
import type { Step } from '../step.ts'

const packages = ['opentelemetry-distro==0.66b2', 'opentelemetry-exporter-otlp==1.45.2']

export const sendersPython: Step = {
  name: 'senders-python',
  needs: ['python3'],
  async run(context) {
    const bin = dirname(pythonWith(context.cache, packages))
    const agent = join(bin, 'opentelemetry-instrument')
    // The agent names the service by an option of its own.
    await checkSender(context, 'sender-python', [
      '/bin/sh',
      '-c',
      `exec "$0" --service_name "$3" "$1" "$2"`,
      agent,
      join(bin, 'python'),
      program('sender.py'),
    ])
  },
}
