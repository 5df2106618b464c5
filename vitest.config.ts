/**
 * `npm test`: almost every suite against the real engine, with a few cases of each random suite, within three minutes
 * on two cores. `npm run test:all` runs the other configurations too, except that for containers.
 */
import { configDefaults, defineConfig } from 'vitest/config'
import { SkipReasons } from './test/support/skip-reasons.ts'
import { onlyInContainers } from './vitest.cluster.config.ts'

process.env.TEST_PROFILE ??= 'quick'

/**
 * Suites that start and kill servers and engines of their own, wait for alerts and retries, send the largest bodies,
 * drive a browser, check every kind of record over both metadata stores, read real telemetry, or take long otherwise.
 * Only `npm run test:full` runs them.
 */
export const slow = [
  'test/admission/{quotas,stored-quotas}.test.ts',
  'test/alerting/{alert-rule-conditions,alert-rule-preview,alerts}.test.ts',
  'test/alerting/{alert-rule-store,alert-rule-transfer,alert-rules,evaluation-pass,failing-receiver}.test.ts',
  'test/alerting/{kill,metric-alert-rules,notifications,two-servers,watched-spans}.test.ts',
  'test/audit/{audit-plans,audit-store,changes}.test.ts',
  'test/auth/{api-key-records,api-key-verification,key-set}.test.ts',
  'test/backup/**/*.test.ts',
  'test/cli/{backfill,config,import,import-exporter,import-exporter-kills,targets-and-keys}.test.ts',
  'test/clickhouse/{attribute-presence,embedded,engine-trust,insert,known-spans,long-statements}.test.ts',
  'test/clickhouse/{migrate,retention,silent-node,write-guard}.test.ts',
  'test/cluster/**/*.test.ts',
  'test/compile/largest.test.ts',
  'test/console/{integration-editor,integration-flow,integrations,shown-secrets}.test.ts',
  'test/console/{alert-edits,alert-lists,alerts,channels,conflicts}.test.ts',
  'test/console/{typing,typing-while-waiting,unsaved-forms,unset-values}.test.ts',
  'test/console/{addresses,answers,console-dev,damaged-messages,deleted-records,deliveries}.test.ts',
  'test/console/{demo-journey,earlier-answers}.test.ts',
  'test/console/{logs,lost-answers,lost-saves,message,message-reading,messages,search-filters,search-words}.test.ts',
  'test/console/{journeys,kept-focus,keys,kept-searches,loading,message-answers,metrics,openid,roles}.test.ts',
  'test/console/{open-views,refused-forms,search-journeys,service-names,services,settings,states,steps}.test.ts',
  'test/console/{long-texts,many-integrations,many-services,media,palette,shell,stored-conditions,waiting}.test.ts',
  'test/contract/{access,event-loop,forged-cursors,large-answers,long-listed-texts}.test.ts',
  'test/facets/{classification-rules,custom-facets,detection-rules,hostile-facets}.test.ts',
  'test/facets/{access,override-rules,overrides,stores,widget-answers,widget-data}.test.ts',
  'test/fuzz/{chunk-lengths,explanations.fuzz,exports.fuzz,extremes,facets.fuzz,refusals,traceql.fuzz}.test.ts',
  'test/grafana/{search,traces}.test.ts',
  'test/ingest/{accepted-times,buffer-pool,grpc-wire,hostile-bodies,insert-groups,otlp-grpc}.test.ts',
  'test/ingest/{odd-telemetry,partial-success,repeated-spans,retries,value-index}.test.ts',
  'test/integrations/{integration-store,integration-transfer}.test.ts',
  'test/logs/{operator-table,retention,value-index}.test.ts',
  'test/mcp/agents.test.ts',
  'test/messages/{comparison,known-steps,large-message,message-export,relations}.test.ts',
  'test/messages/{completion-limit,concurrent-reads,value-index,value-index-limits,value-index-use}.test.ts',
  'test/metadata/{database,lease,long-migrations,lost-connections,racing-servers,snapshot}.test.ts',
  'test/oracle/comparison.test.ts',
  'test/real/server-{boutique,data,facets,integrations,logs,metrics,raw}.test.ts',
  'test/operations/{browser,capacity,client-gone,connection-faults,deleted-meanwhile}.test.ts',
  'test/operations/{demo,documented-commands,drain,full-disk,image,kill,load-balancer,logged-outages}.test.ts',
  'test/operations/{npm-signals,refused-connections,unwritable-output}.test.ts',
  'test/operations/{linear-patterns,readiness,silent-store,store-faults,tls}.test.ts',
  'test/slices/{boundaries,restricted}.test.ts',
  'test/views/view-store.test.ts',
  'test/webhooks/channels/{channel-transfer,credentials-at-rest}.test.ts',
  'test/webhooks/deliveries/{claims,clock-set-back,deliveries,disabled-channels,organizations,over-http}.test.ts',
  'test/webhooks/deliveries/resolutions.test.ts',
]

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...slow, onlyInContainers],
    reporters: ['default', new SkipReasons()],
    globalSetup: ['test/support/engine-setup.ts'],
    pool: 'forks',
    // Suites wait for the engine much of the time, so a third worker keeps both cores busy.
    maxWorkers: 3,
    // Files share the modules of their worker: importing them for each file would take a third of the time.
    isolate: false,
    // What a test waits for takes longer on a slow machine; a second is the default. Only failing tests take so long.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
})
