import { describe } from 'vitest'
import { trace } from '../support/trace-text.ts'
import { any, rule, sliceTests, tenant, withChildren } from './slice-check.ts'

const test = sliceTests()

describe('rules that differ only in the value that an attribute equals', () => {
  test('select the spans with any of the values, in their service alone', {
    spans: trace`
      web:first          tenant=a
        web:second       tenant=b
        web:neither      tenant=c
        bank:elsewhere   tenant=a
        bank:third       tenant=c
        web:number       tenant=int:5
        web:shared       @tenant=c
        web:own          tenant=d @tenant=a
        web:absent`,
    integration: any(
      rule('web', tenant('a')),
      rule('bank', tenant('c')),
      rule('web', tenant('b')),
      rule('web', tenant('5')),
      rule('web', { ...tenant('c'), attribute_source: 'resource' }),
      rule('web', { ...tenant('c'), operator: 'contains', value: 'cc' }),
    ),
    finds: ['first', 'second', 'third', 'number', 'shared'],
  })

  test('include the child spans of those that say so', {
    spans: trace`
      web:first          tenant=a
        bank:below
      web:second         tenant=b
        bank:beside`,
    integration: any(
      rule('web', tenant('a')),
      rule('web', { ...tenant('b'), ...withChildren }),
      rule('bank', tenant('never')),
    ),
    finds: ['first', 'second', 'beside'],
  })
})
