import { type Problem, problem } from '../http/problem.ts'

/** The 422 of a rule that is well formed but makes no sense, or names what is not there. */
export function refuseRule(pointer: string, code: string, message: string): Problem {
  return problem('refused', message, { errors: [{ pointer, code, message }] })
}
