import { dirname, join } from 'node:path'
import { pythonWith } from '../commands.ts'
import { program } from '../programs.ts'
import { checkSender, type SenderCommand } from '../senders.ts'
import type { Step } from '../step.ts'

const packages = ['opentelemetry-distro==0.66b2', 'opentelemetry-exporter-otlp==1.45.2']

/** Returns the command that sends with the SDK for Python. */
export function pythonSender(cache: string): SenderCommand {
  const bin = dirname(pythonWith(cache, packages))
  // The agent names the service by an option of its own.
  const script = 'exec "$0" --service_name "$3" "$1" "$2"'
  return ['/bin/sh', '-c', script, join(bin, 'opentelemetry-instrument'), join(bin, 'python'), program('sender.py')]
}

export const sendersPython: Step = {
  name: 'senders-python',
  needs: ['python3'],
  run: (context) => checkSender(context, 'sender-python', pythonSender(context.cache)),
}
