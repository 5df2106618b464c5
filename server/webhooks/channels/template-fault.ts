/** One reason why a body template is refused; the message goes on from the words "the template". */
export interface TemplateFault {
  readonly code:
    | 'too_large'
    | 'malformed_text'
    | 'malformed_json'
    | 'not_an_object'
    | 'too_deep'
    | 'duplicate_key'
    | 'malformed_reference'
    | 'unknown_variable'
  readonly message: string
}

/** The template breaks a rule. Carries every fault that was found. */
export class InvalidTemplate extends Error {
  readonly faults: readonly TemplateFault[]

  constructor(faults: readonly TemplateFault[]) {
    super(`the template ${faults[0]?.message ?? 'is not valid'}`)
    this.name = 'InvalidTemplate'
    this.faults = faults
  }
}

export function invalidTemplate(code: TemplateFault['code'], message: string): InvalidTemplate {
  return new InvalidTemplate([{ code, message }])
}
