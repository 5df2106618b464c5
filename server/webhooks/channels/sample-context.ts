import { type AlertContext, templateVariables } from './template-variables.ts'

/** A representative firing, made of the samples of all variables: what previews and test sends tell of. */
export const sampleContext = nested() as unknown as AlertContext

function nested(): Record<string, unknown> {
  const context: Record<string, Record<string, unknown> | unknown> = {}
  for (const [path, { sample }] of Object.entries(templateVariables)) {
    const [namespace = '', leaf] = path.split('.')
    context[namespace] = leaf === undefined ? sample : { ...(context[namespace] ?? {}), [leaf]: sample }
  }
  return context
}
