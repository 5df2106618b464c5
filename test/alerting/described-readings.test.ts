import { expect, it } from 'vitest'
import { describeMetric } from '#sql'
import { describeReading } from '../../server/alerting/readings/alert-rule-reader.ts'
import { sampleContext } from '../../server/webhooks/templates/template-variables.ts'

it.each([
  [0.08510638297872343, 0.05, '0.08511, which is above 0.05'],
  [12_345.678, 10, '12,346, which is above 10'],
  [1234.5678, 2000, '1,235, which is not above 2,000'],
  [1e-7 / 3, 0, '3.333e-8, which is above 0'],
  [12_345_678, 10, '12,345,678, which is above 10'],
  [-0.123456, 0, '-0.1235, which is not above 0'],
  [0, 0, '0, which is not above 0'],
  [-1234.5, -1_234_567.25, '-1,234, which is above -1,234,567.25'],
  [1e21, 2e21, '1e+21, which is not above 2e+21'],
  [2.00001, 2, '2.00001, which is above 2'],
  [0.0969651, 0.0969652, '0.0969651, which is not above 0.0969652'],
])('the reading %d of a rule with the threshold %d is described as %j', (reading, threshold, words) => {
  const sentence = describeReading('it', { measure: 'max', comparator: 'gt', threshold, window_s: 60 }, reading)
  expect(sentence).toBe(`it over 1 minute is ${words}`)
})

it.each([
  [0.08510638297872343, 0.05, '8.511%, which is above 5%'],
  [0.07, 0.07, '7%, which is not above 7%'],
  [0.0700001, 0.07, '7.00001%, which is above 7%'],
])('the error rate %d of a rule with the threshold %d is described as %j', (reading, threshold, words) => {
  const rule = { measure: 'error_rate', comparator: 'gt', threshold, window_s: 60 } as const
  expect(describeReading('it', rule, reading)).toBe(`it over 1 minute is ${words}`)
})

it('the sample of a summary, which tests of channels post, is the sentence of the rule in the samples', () => {
  const { alert, rule, check, service } = sampleContext
  if (check === undefined || service === undefined) throw new Error('The samples lack a variable')
  expect(rule.measure).toBe('p95')
  const series = { metric: check.metric, conditions: [], service: service.name }
  const sentence = describeReading(describeMetric({ ...series, aggregation: 'p95' }), rule, check.value)
  expect(alert.summary).toBe(`${rule.name}: ${sentence}.`)
})
