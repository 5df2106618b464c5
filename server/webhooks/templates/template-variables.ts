import type { Comparator } from '../../telemetry/comparator.ts'

/**
 * Everything that a notification of an alert may say, as one table: it types the context that rules are evaluated into, it
 * is what templates are checked against on save, what the schema endpoint lists, and what the preview is rendered from. A
 * path that is not here exists nowhere.
 */
interface Variable<Value> {
  readonly type: VariableType
  readonly description: string
  /** When the variable carries a value, in words. */
  readonly when: string
  readonly sample: Value
}

export type VariableType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const always = 'always'
const onceResolved = 'when the alert is resolved'
const ofMetricChecks = 'for metric checks'
const ofServices = 'for service-scoped rules'
const ofCounted = 'for service-scoped rules, when it could be read'
const ofIntegrations = 'for rules over an integration'

function variable(type: VariableType) {
  return <Value>(description: string, when: string, sample: Value): Variable<Value> => ({
    ...{ type, description, when, sample },
  })
}

const string = variable('string')
const number = variable('number')
const integer = variable('integer')
const boolean = variable('boolean')
const array = variable('array')
const object = variable('object')

export const templateVariables = {
  'alert.id': string(
    'Id of the alert; the same in its firing and its resolution.',
    always,
    '01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  ),
  'alert.state': string<AlertState>('`firing` or `resolved`.', always, 'firing'),
  'alert.severity': string<AlertSeverity>('`info`, `warning` or `critical`.', always, 'critical'),
  'alert.summary': string(
    'One sentence on what happened.',
    always,
    'p95 of http.server.duration is 912.4 ms, above 500 ms',
  ),
  'alert.link': string<string | null>(
    'Where the alert can be read.',
    'when the server knows its own address',
    'https://tracefold.example/api/v1/alerting/rules/01JNB4Y8Z1C5D8F0G2H4J6K8MN',
  ),
  'alert.started_at': string('When the alert began to fire.', always, '2026-03-01T09:00:00.000Z'),
  'alert.resolved_at': string<string | null>('When the alert was resolved.', onceResolved, null),
  'rule.id': string('Id of the rule.', always, '01JNB4Y8Z1C5D8F0G2H4J6K8MN'),
  'rule.name': string('Name of the rule.', always, 'Checkout is slow'),
  'rule.kind': string<'trace' | 'metric'>('`trace` or `metric`.', always, 'metric'),
  'rule.measure': string('What the rule measures.', always, 'p95'),
  'rule.comparator': string<Comparator>('How the measure is compared with the threshold.', always, 'gt'),
  'rule.threshold': number('The threshold of the rule.', always, 500),
  'rule.window_s': integer('Length of the window that is measured, in seconds.', always, 300),
  'check.metric': string('Name of the metric.', ofMetricChecks, 'http.server.duration'),
  'check.value': number<number | null>('What was measured last.', ofMetricChecks, 912.4),
  'check.threshold': number('What it was compared with.', ofMetricChecks, 500),
  'check.unit': string('Unit of the metric; empty when it has none.', ofMetricChecks, 'ms'),
  'service.name': string('Name of the service.', ofServices, 'checkout'),
  'service.error_count': integer<number | null>('Spans with status error in the window.', ofCounted, 17),
  'service.span_count': integer<number | null>('Spans in the window.', ofCounted, 1204),
  'service.facets': array<readonly string[]>('Effective facets of the service.', ofServices, [
    'core',
    'http-input',
    'db-output',
  ]),
  'service.metadata': object<Readonly<Record<string, Json>>>(
    'What the telemetry says about the service, by key. It is given whole: its keys are not variables.',
    ofServices,
    { 'deployment.environment.name': 'production', 'service.version': '2.4.1' },
  ),
  'integration.id': string('Id of the integration.', ofIntegrations, '01JNB4Y8Z2P7Q9R1S3T5V7W9XY'),
  'integration.name': string('Name of the integration.', ofIntegrations, 'Checkout'),
  'integration.rule_match': string<'any' | 'all'>('How its rules are joined: `any` or `all`.', ofIntegrations, 'any'),
  'org.id': string('Id of the organization.', always, 'acme'),
  'org.name': string('Name of the organization.', always, 'acme'),
  sent_at: string('When the notification was made.', always, '2026-03-01T09:00:01.250Z'),
  'include.link': boolean('Whether the rule asks for the link.', always, true),
  'include.summary': boolean('Whether the rule asks for the summary.', always, true),
  'include.service': boolean('Whether the rule asks for the service.', always, true),
  'include.integration': boolean('Whether the rule asks for the integration.', always, true),
  'include.check': boolean('Whether the rule asks for the check.', always, true),
}

export type AlertState = 'firing' | 'resolved'
export type AlertSeverity = 'info' | 'warning' | 'critical'

type Variables = typeof templateVariables

export type VariablePath = keyof Variables

type ValueOf<Path extends VariablePath> = Variables[Path] extends Variable<infer Value> ? Value : never

type Namespace<Name extends string> = {
  readonly [Path in VariablePath as Path extends `${Name}.${infer Leaf}` ? Leaf : never]: ValueOf<Path>
}

/** One notification of an alert: plain JSON, stored with its delivery and rendered when it is sent. */
export interface AlertContext {
  readonly alert: Namespace<'alert'>
  readonly rule: Namespace<'rule'>
  /** Of metric checks only. */
  readonly check?: Namespace<'check'>
  /** Of service-scoped rules only. */
  readonly service?: Namespace<'service'>
  /** Of rules over an integration only. */
  readonly integration?: Namespace<'integration'>
  readonly org: Namespace<'org'>
  readonly sent_at: ValueOf<'sent_at'>
  readonly include: Namespace<'include'>
}

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
