import type { Comparator } from '../../telemetry/comparator.ts'

/** A detail of an alert that notifications can contain. */
interface Variable<Value> {
  readonly type: VariableType
  readonly description: string
  /** The condition under which the variable has a value, in words. */
  readonly when: string
  readonly sample: Value
}

export type VariableType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const always = 'always'
const onceResolved = 'when the alert is resolved'
const forMetricChecks = 'for metric checks'
const forServices = 'for service-scoped rules'
const whenCounted = 'for service-scoped rules, unless the count could not be read'
const forIntegrations = 'for rules over an integration'

function variable(type: VariableType) {
  return <Value>(description: string, when: string, sample: Value): Variable<Value> => ({
    type,
    description,
    when,
    sample,
  })
}

const string = variable('string')
const number = variable('number')
const integer = variable('integer')
const boolean = variable('boolean')
const array = variable('array')
const object = variable('object')

/**
 * All details of an alert, by path. This table defines the type of the notification context, the variables that
 * templates may use, the list that the API returns, and the sample for previews.
 */
export const templateVariables = {
  'alert.id': string(
    'Id of the alert. Its firing and its resolution have the same id.',
    always,
    '01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  ),
  'alert.state': string<AlertState>('`firing` or `resolved`.', always, 'firing'),
  'alert.severity': string<AlertSeverity>('`info`, `warning` or `critical`.', always, 'critical'),
  'alert.summary': string(
    'What happened, in one sentence.',
    always,
    'Checkout is slow: the 95th percentile of metric "http.server.duration" of service "checkout" over 5 minutes is ' +
      '912.4, which is above 500.',
  ),
  'alert.link': string<string | null>(
    'URL of the rule in the console, or in the API if CONSOLE is off.',
    'when PUBLIC_URL is set',
    'https://tracefold.example/alerts/rules/01JNB4Y8Z1C5D8F0G2H4J6K8MN',
  ),
  'alert.started_at': string('When the alert started firing.', always, '2026-03-01T09:00:00.000Z'),
  'alert.resolved_at': string<string | null>('When the alert was resolved.', onceResolved, null),
  'rule.id': string('Id of the rule.', always, '01JNB4Y8Z1C5D8F0G2H4J6K8MN'),
  'rule.name': string('Name of the rule.', always, 'Checkout is slow'),
  'rule.kind': string<'trace' | 'metric'>('`trace` or `metric`.', always, 'metric'),
  'rule.measure': string('What the rule measures.', always, 'p95'),
  'rule.comparator': string<Comparator>('How the measure is compared with the threshold.', always, 'gt'),
  'rule.threshold': number('The threshold of the rule.', always, 500),
  'rule.window_s': integer('Length of the measured window, in seconds.', always, 300),
  'check.metric': string('Name of the metric.', forMetricChecks, 'http.server.duration'),
  'check.value': number<number | null>('The value that was measured last.', forMetricChecks, 912.4),
  'check.threshold': number('The threshold that the value was compared with.', forMetricChecks, 500),
  'check.unit': string('Unit of the metric; empty when it has none.', forMetricChecks, 'ms'),
  'service.name': string('Name of the service.', forServices, 'checkout'),
  'service.error_count': integer<number | null>('Number of spans with status error in the window.', whenCounted, 17),
  'service.span_count': integer<number | null>('Number of spans in the window.', whenCounted, 1204),
  'service.facets': array<readonly string[]>('Effective facets of the service.', forServices, [
    'core',
    'http-input',
    'db-output',
  ]),
  'service.metadata': object<Readonly<Record<string, Json>>>(
    'Resource attributes of the service, by key, as one object. Its keys are not variables.',
    forServices,
    { 'deployment.environment.name': 'production', 'service.version': '2.4.1' },
  ),
  'integration.id': string('Id of the integration.', forIntegrations, '01JNB4Y8Z2P7Q9R1S3T5V7W9XY'),
  'integration.name': string('Name of the integration.', forIntegrations, 'Checkout'),
  'integration.rule_match': string<'any' | 'all'>(
    'How the rules of the integration are combined: `any` or `all`.',
    forIntegrations,
    'any',
  ),
  'org.id': string('Id of the organization.', always, 'acme'),
  'org.name': string('Name of the organization.', always, 'acme'),
  sent_at: string('When the notification was created.', always, '2026-03-01T09:00:01.250Z'),
  'include.link': boolean('Whether the rule includes the link.', always, true),
  'include.summary': boolean('Whether the rule includes the summary.', always, true),
  'include.service': boolean('Whether the rule includes the service.', always, true),
  'include.integration': boolean('Whether the rule includes the integration.', always, true),
  'include.check': boolean('Whether the rule includes the check.', always, true),
}

export type AlertState = 'firing' | 'resolved'
export type AlertSeverity = 'info' | 'warning' | 'critical'

type Variables = typeof templateVariables

export type VariablePath = keyof Variables

type ValueOf<Path extends VariablePath> = Variables[Path] extends Variable<infer Value> ? Value : never

type Namespace<Name extends string> = {
  readonly [Path in VariablePath as Path extends `${Name}.${infer Leaf}` ? Leaf : never]: ValueOf<Path>
}

/**
 * The details of an alert in one notification. It is plain JSON, which is stored with a delivery and rendered when the
 * delivery is sent.
 */
export interface AlertContext {
  readonly alert: Namespace<'alert'>
  readonly rule: Namespace<'rule'>
  /** Present for metric checks only. */
  readonly check?: Namespace<'check'>
  /** Present for service-scoped rules only. */
  readonly service?: Namespace<'service'>
  /** Present for rules over an integration only. */
  readonly integration?: Namespace<'integration'>
  readonly org: Namespace<'org'>
  readonly sent_at: ValueOf<'sent_at'>
  readonly include: Namespace<'include'>
}

/** A firing alert with the sample value of every variable. Previews and tests of channels use it. */
export const sampleContext = nested() as unknown as AlertContext

function nested(): Record<string, unknown> {
  const context: Record<string, Record<string, unknown> | unknown> = {}
  for (const [path, { sample }] of Object.entries(templateVariables)) {
    const [namespace = '', leaf] = path.split('.')
    context[namespace] = leaf === undefined ? sample : { ...(context[namespace] ?? {}), [leaf]: sample }
  }
  return context
}
