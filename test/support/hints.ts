import type { ProtocolHints, WrongProtocol } from '../../server/lifecycle/protocol-hints.ts'

/** Hints that are collected in place of being logged. */
export function collectHints(): ProtocolHints & { readonly logged: WrongProtocol[] } {
  const logged: WrongProtocol[] = []
  return { logged, textOf: (wrong) => `hint: ${wrong}`, log: (wrong) => void logged.push(wrong) }
}
