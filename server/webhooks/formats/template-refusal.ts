import { refusedFields } from '../../problem/problem.ts'
import { compileTemplate, type Template } from '../templates/template.ts'
import { InvalidTemplate } from '../templates/template-document.ts'

/** @throws Problem 422 that names every fault, at the pointer of the template in the request's body */
export function compileTemplateAt(pointer: string, text: string): Template {
  try {
    return compileTemplate(text)
  } catch (error) {
    if (!(error instanceof InvalidTemplate)) throw error
    throw refusedFields(
      error.faults.map(({ code, message }) => ({ pointer, code, message: `the template ${message}` })),
    )
  }
}
