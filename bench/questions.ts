import { type MessageQuery, parseMatchers, parseMessageRows, type Slice, sliceOf } from '../sql/index.ts'

/** Both rules match nearly every trace of the worst case. */
function rules(mode: Slice['mode'], includeDescendants = false): Slice {
  return sliceOf(
    mode,
    parseMatchers([
      { service: 'checkout', attribute_key: 'tenant', operator: 'exists', include_descendants: includeDescendants },
      {
        service: 'ledger',
        attribute_key: 'http.route',
        operator: 'prefix',
        value: '/api',
        include_descendants: includeDescendants,
      },
    ]),
  )
}

const selective = parseMessageRows([{ attribute_key: 'customer.id', operator: 'eq', value: '77' }])
const never = parseMessageRows([{ attribute_key: 'http.status_code', operator: 'neq', value: '500' }])
const nothing = parseMessageRows([{ attribute_key: 'customer.id', operator: 'eq', value: 'nobody' }])
const below = parseMessageRows([{ attribute_key: 'tenant', operator: 'eq', value: 't-7', includeDescendants: true }])

/** What is asked of the worst case; the first two are compared. */
export const questions: Readonly<Record<string, MessageQuery>> = {
  any: { rows: [], slice: rules('any') },
  all: { rows: [], slice: rules('all') },
  'all, descendants on both rules': { rows: [], slice: rules('all', true) },
  'any, a negative row': { rows: never, slice: rules('any') },
  'one trace in 10,000': { rows: selective },
  'nothing found': { rows: nothing },
  'child spans of one tenant in 100, status error': { rows: below, status: 'error' },
}
