/**
 * The end-to-end suites once more, over two shards made of two embedded engines: everything that stores telemetry or asks for
 * it runs here, and its answers are those of one node. A new suite is part of it without a word; what stays out says why.
 */
import { configDefaults, defineConfig } from 'vitest/config'

/** What stores no telemetry: parsers, templates, sign-in, records. Where it asks for any there is none, wherever tables lie. */
const withoutTelemetry = [
  'test/{auth,config,contract,metadata,oracle,tidy,webhooks}/**',
  'test/tidy.test.ts',
  'test/**/stores.test.ts',
  'test/cli/!(import).test.ts',
  'test/alerting/{alert-rules,alerts,evaluation,rule-configuration,rule-refusals,rule-store,transition}.test.ts',
  'test/compile/{metrics,parameters,scope}.test.ts',
  'test/facets/{facet-configuration,widget-definitions}.test.ts',
  'test/integrations/{configuration,matchers,records,versions}.test.ts',
  'test/operations/{http,logging}.test.ts',
  'test/real/{cloudevents,loaders,oracles,signoz,standard-webhooks}.test.ts',
  'test/views/{saved-views,view-configuration}.test.ts',
]

/** What is about an engine of its own. */
const aboutOneEngine = ['test/clickhouse/**', 'test/operations/{demo,drain,kill,readiness}.test.ts']

/** What is about two servers over one Postgres, and takes half a minute to be sure. */
const aboutTwoServers = ['test/alerting/two-servers.test.ts']

/** What starts shards of its own, to take one away or to hold them against one node; it runs with the other tests. */
const aboutShards = ['test/cluster/**']

/**
 * What ends many queries early: an embedded engine, unlike a server, aborts when another one resets the connection between
 * them, and takes all suites after it along. Each passes alone.
 */
const resetsConnections = ['test/fuzz/chunk-lengths.test.ts', 'test/operations/client-gone.test.ts']

/** Queries of the greatest size take every node of a cluster seconds to analyse, more than once each: minutes for this one suite. */
const tooSlow = ['test/compile/largest.test.ts']

/** Of random cases one set, and of long tables one case in so many: how a query is spread does not depend on what is asked in it. */
const samples = { FUZZ_CASES: process.env.FUZZ_CASES ?? '20', TABLE_EVERY: process.env.TABLE_EVERY ?? '13' }

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...withoutTelemetry,
      ...aboutOneEngine,
      ...aboutTwoServers,
      ...aboutShards,
      ...resetsConnections,
      ...tooSlow,
    ],
    globalSetup: ['test/support/shards-setup.ts'],
    env: samples,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
})
