import { checkMessageRows } from '#sql'
import { collectFaults } from '../problem/collect-faults.ts'
import { type FieldFault, invalidFields } from '../problem/problem.ts'
import { checkName, checkText } from '../problem/record-text.ts'
import { readWindow } from '../telemetry/time-window.ts'
import type { ViewContent, ViewWindow } from './view-record.ts'

/** What a view is about when it does not say: what a search is about that does not. */
export const windowDefault: ViewWindow = { kind: 'relative', last_s: 3_600 }

/**
 * Holds a view against what a search would say of it; `pointer` is where the view stands in the request's body.
 * @throws Problem 400 with every fault
 */
export function checkView(content: ViewContent, pointer = ''): ViewContent {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkName(content.name, `${pointer}/name`))
  collectFaults(faults, () => checkText(content.description, `${pointer}/description`))
  collectFaults(faults, () => checkMessageRows(content.rows, `${pointer}/rows`))
  collectFaults(faults, () => readWindow(content.window, anyMoment, `${pointer}/window`))
  if (faults.length > 0) throw invalidFields(faults)
  return content
}

/** Whether a relative window has a meaning does not depend on when it is asked. */
const anyMoment = new Date(0)
