import {
  ioKinds,
  ioRoles,
  messageOrders,
  metricAggregations,
  metricKinds,
  type Operator,
  operatorTable,
  temporalities,
  traceMeasures,
} from '#sql'
import { roles } from '../server/auth/caller.ts'
import { problemCodes } from '../server/problem/problem.ts'
import { comparators } from '../server/telemetry/comparator.ts'
import { webhookFormats } from '../server/webhooks/formats/formats.ts'

const operators = Object.keys(operatorTable) as Operator[]

/** Whether an operator tests only that an attribute is present, and therefore takes no value. */
function testsPresence(operator: Operator): boolean {
  return operatorTable[operator].test === 'exists'
}

/** Returns the names that one vocabulary gives to the operators it has, in the order of the table. */
function namesIn(vocabulary: 'matcherName' | 'mappingName'): readonly string[] {
  return operators.flatMap((operator) => operatorTable[operator][vocabulary] ?? [])
}

/**
 * The closed lists that the code declares as tables. A schema in `openapi/schemas` names one of them in `x-values`, and
 * the generator writes its values as the schema's `enum`.
 */
export const closedLists: Readonly<Record<string, readonly string[]>> = {
  value_operators: operators.filter((operator) => !testsPresence(operator)),
  presence_operators: operators.filter(testsPresence),
  matcher_operators: namesIn('matcherName'),
  mapping_operators: namesIn('mappingName'),
  message_orders: messageOrders,
  comparators: Object.keys(comparators),
  metric_aggregations: metricAggregations,
  alert_measures: [...traceMeasures, ...metricAggregations],
  metric_kinds: metricKinds,
  temporalities,
  io_kinds: ioKinds,
  io_roles: ioRoles,
  webhook_formats: Object.keys(webhookFormats),
  roles,
  problem_codes: problemCodes,
}
