/**
 * Every suite that stores or queries telemetry, over two shards, each an embedded engine; the answers must equal those
 * of one node. A new suite takes part by default. The suites that do not are listed below, with the reason.
 * `npm run test:cluster` runs them.
 */
import { configDefaults, defineConfig } from 'vitest/config'
import { SkipReasons } from './test/support/skip-reasons.ts'

/** These suites store no telemetry: parsers, templates, authentication, records. */
const withoutTelemetry = [
  'test/{audit,auth,clients,config,console,contract,metadata,oracle,tidy,webhooks}/**',
  'test/tidy.test.ts',
  'test/**/{stores,integration-store,view-store}.test.ts',
  'test/admission/{body-deadline,quotas}.test.ts',
  'test/alerting/{alert-rules,alert-rule-{refusals,store,transfer},alerts,evaluate,transition}.test.ts',
  'test/alerting/measures-documented.test.ts',
  'test/cli/**',
  'test/compile/{metrics,operators,parameters,pattern-cost,scope,template}.test.ts',
  'test/facets/{facet-configuration,widget-definitions}.test.ts',
  'test/fuzz/{refusals,sentences.fuzz,summary}.test.ts',
  'test/integrations/{integration-transfer,matchers,records,versions}.test.ts',
  'test/messages/parse-summary.test.ts',
  'test/real/{cloudevents,loaders,oracles,signoz,standard-webhooks}.test.ts',
  'test/views/{saved-views,view-transfer}.test.ts',
]

/** These suites are about what happens before an insert or after an answer, which is the same for any tables. */
const aroundQueries = [
  'test/alerting/{failing-receiver,kill,notifications}.test.ts',
  'test/ingest/{grpc-wire,hostile-bodies,json-mapping,memory-shares,otlp-grpc,protobuf-wire}.test.ts',
  'test/operations/!(client-gone|documented-commands|metrics).test.ts',
]

/** These suites start engines of their own, or merge the tables of one. */
const aboutOneEngine = ['test/backup/**', 'test/clickhouse/**', 'test/ingest/accepted-times.test.ts']

/** Two servers over one Postgres; takes half a minute. */
const aboutTwoServers = ['test/alerting/two-servers.test.ts']

/** These suites start shards of their own; vitest.all.config.ts runs them. */
const aboutShards = ['test/cluster/**']

/** These suites fill, break or measure the one engine that they ask. */
const onOneEngine = [
  'test/admission/stored-quotas.test.ts',
  'test/ingest/repeated-spans.test.ts',
  'test/messages/message-export.test.ts',
]

/** Needs Docker; vitest.containers.config.ts runs them. */
export const onlyInContainers = 'test/containers/**'

/** Each node of a cluster needs seconds to analyse the largest queries, so this suite alone would take minutes. */
const tooSlow = ['test/compile/largest.test.ts']

/**
 * These suites take minutes. test/cluster/answers.test.ts compares the answers of their queries over shards with those
 * of one server, with and without grants.
 */
const coveredByAnswers = ['test/fuzz/comparisons.fuzz.test.ts', 'test/slices/restricted.test.ts']

/** Few cases suffice, because how a query is distributed does not depend on its conditions. */
const samples = { FUZZ_CASES: process.env.FUZZ_CASES ?? '6', TABLE_EVERY: process.env.TABLE_EVERY ?? '29' }

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...withoutTelemetry,
      ...aroundQueries,
      ...aboutOneEngine,
      ...aboutTwoServers,
      ...aboutShards,
      ...onOneEngine,
      ...tooSlow,
      ...coveredByAnswers,
      onlyInContainers,
    ],
    reporters: ['default', new SkipReasons()],
    globalSetup: ['test/support/shards-setup.ts'],
    env: samples,
    pool: 'forks',
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
})
