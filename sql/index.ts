export {
  keyOfPath,
  pathOfKey,
  readAttributeList,
  textOfDouble,
  typeOfTag,
  type ValueType,
  valueTags,
  writeAttributeList,
} from './attribute-text.ts'
export { larger, smaller } from './bigint-order.ts'
export {
  checkClassificationRule,
  checkConditions,
  checkMatchers,
  checkMessageFilter,
  checkTraceQl,
} from './check/patterns.ts'
export { measuredSeries, measuredValues, newestResources, newestSeriesResources } from './compile/alert.ts'
export {
  type ComparedCarriedRow,
  type ComparedOriginRow,
  type ComparedPairRow,
  type ComparedPathRow,
  type ComparedTotals,
  type ComparedValuesRow,
  comparedCarriers,
  comparedOrigins,
  comparedPairs,
  comparedPaths,
  comparedValueCounts,
  type ScopedValuesRow,
  scopedValueCounts,
} from './compile/comparison/compare.ts'
export { type ComparedAttributeRow, comparedAttributes } from './compile/comparison/compare-at-once.ts'
export { type ComparedMessagesRow, comparedMessages, newestCompared } from './compile/comparison/compared-messages.ts'
export {
  attributeValues,
  hotAttributeCounts,
  resourceAttributeLists,
  spanAttributePaths,
  spanAttributeTags,
} from './compile/completion.ts'
export {
  classificationCounts,
  type ProfileOptions,
  profileSettings,
  readProfile,
  serviceProfiles,
  servicesAfter,
} from './compile/facets/facets.ts'
export { isFilterable, readOfSeveral, type WidgetRow, widgetData, widgetSettings } from './compile/facets/widget.ts'
export {
  type MessageCountsRow,
  type SliceStatsRow,
  sliceCalls,
  sliceStats,
} from './compile/integrations/integration.ts'
export { type SliceChange, type SliceDiffRow, sliceDiff } from './compile/integrations/integration-changes.ts'
export { type RuleCountsRow, ruleCounts, rulesPerGroup } from './compile/integrations/rule-counts.ts'
export { positionOfText, type TextPosition } from './compile/list-order.ts'
export {
  type FoundLogRow,
  type LogPosition,
  type LogRecordRow,
  logPositions,
  logRecordDetails,
  logRecordsOfTrace,
  newestLogRecords,
} from './compile/logs.ts'
export {
  type ExplainedFieldsRow,
  type ExplainedSpanRow,
  explainedFields,
  explainedSpans,
  explainedValues,
  spansOutside,
} from './compile/messages/explain.ts'
export { type FoundSpanRow, foundSpans } from './compile/messages/found-spans.ts'
export type { GroupRow } from './compile/messages/message-groups.ts'
export {
  isAscending,
  type RankedMessageRow,
  type RankedOrder,
  type RankedPosition,
  rankedMessages,
} from './compile/messages/message-orders.ts'
export {
  type BreakdownRow,
  type HistogramRow,
  type LargestGroupRow,
  largestGroups,
  type MessageNumbersRow,
  messageBreakdown,
  messageHistogram,
} from './compile/messages/message-totals.ts'
export {
  type CandidateOptions,
  candidateMessages,
  type MessagePositionRow,
  matchedSteps,
  matchingTraceIds,
  messageCounts,
  messageDetails,
  messagePositions,
  newestMessages,
  type PagePosition,
} from './compile/messages/messages.ts'
export {
  type AskedSpanRow,
  askedSpansTable,
  type LinkedSpan,
  type LinkingSpanRow,
  linkingSpans,
  linkingTraces,
  type ProfiledSpanRow,
  profiledSpans,
  type TraceNodeRow,
  type TraceOutlineRow,
  type TraceSpanRow,
  traceExists,
  traceNodes,
  traceOutlines,
  traceSpans,
  tracesBefore,
} from './compile/messages/trace.ts'
export { type MetricDataRow, metricData } from './compile/metrics/metric-data.ts'
export { type MetricPointRow, metricPoints } from './compile/metrics/metric-points.ts'
export {
  behindMetric,
  type CatalogPage,
  type CatalogPosition,
  lastCatalogMetric,
  type MetricStreamRow,
  metricCatalog,
  metricStreams,
  type SeriesRow,
  seriesWithIds,
} from './compile/metrics/metric-series.ts'
export type { Cluster } from './compile/placement.ts'
export { type RepeatRow, repeatsOfTraces } from './compile/repeated-spans.ts'
export { renderInScope } from './compile/scope.ts'
export { isRowWise, sliceTestCount } from './compile/slice.ts'
export { type IndexedValuesRow, indexedValueCounts } from './compile/value-index/value-counts.ts'
export {
  type Claim,
  claimsOf,
  claimsOfLogs,
  type FoundPlacesRow,
  findPlaces,
  type IndexedClaim,
  placesOfTraces,
  type RecordCountRow,
  recordsWithin,
  type Term,
  type TracePlacesRow,
  type TraceTimesRow,
  type TraceWithSpanRow,
  timesOfTrace,
  tracesWithSpan,
} from './compile/value-index/value-index.ts'
export { InvalidQuery } from './errors.ts'
export type { Bounds, Places, Query, SlotsOfBucket, Sql, TraceInBucket } from './fragment.ts'
export { hexOfSpanId, hexOfTraceId, nsOfRfc3339, rfc3339OfNs, spanIdOfHex, traceIdOfHex } from './ids-and-times.ts'
export type { MeasuredSpans } from './ir/alert.ts'
export {
  type ComparedSide,
  type Comparison,
  comparedTable,
  type FoundSide,
  type FoundSides,
  haveOneWindow,
  type SideName,
} from './ir/comparison.ts'
export type { Attribute, Condition } from './ir/condition.ts'
export {
  type ClassificationRule,
  type IoKind,
  type IoPair,
  type IoRole,
  ioKinds,
  ioRoles,
  type ServiceRules,
} from './ir/facet.ts'
export type { MessageField } from './ir/message-field.ts'
export {
  type GroupAttribute,
  isFieldRow,
  isStepRow,
  type MessageFilter,
  type MessageOrder,
  type MessageQuery,
  type MessageRow,
  messageOrders,
  ofKnownSteps,
} from './ir/message-query.ts'
export {
  aggregationsOfKind,
  type MetricAggregation,
  type MetricQuery,
  type MetricStream,
  metricAggregations,
  type SeriesQuery,
} from './ir/metric-query.ts'
export type { Relation } from './ir/relation.ts'
export type { Scope, TimeWindow } from './ir/scope.ts'
export { type Matcher, type Rule, rulesOf, type Slice, serviceFits, servicesJoinedByOr, sliceOf } from './ir/slice.ts'
export type { SpanExpression } from './ir/spanset.ts'
export type { WidgetGrouping, WidgetMeasure, WidgetQuery, WidgetSpans, WidgetTime } from './ir/widget.ts'
export {
  classificationRulesMax,
  comparedMessagesMax,
  comparedPairsMax,
  comparedValuesMax,
  keyCharactersMax,
  matchersMax,
  metricLookbackNs,
  metricStreamsMax,
} from './limits.ts'
export { type TraceMeasure, traceMeasures, traceMeasureTable } from './measures.ts'
export { editsBetween, nearestName } from './nearest.ts'
export { type Operator, operatorTable, takesValue } from './operators.ts'
export { hasBit } from './packed-bits.ts'
export { parseClassificationRule } from './parse/classification-rule.ts'
export { parseAttributes, parseConditions, type RawCondition } from './parse/condition.ts'
export { parseGroupBy } from './parse/group-by.ts'
export { parseMatchers, type RawMatcher } from './parse/matcher.ts'
export { parseMessageFilter } from './parse/message-query.ts'
export { intrinsicKeys, logRecords, seriesRecords, spanRecords } from './record-kinds/record-kinds.ts'
export { hotAttributeKeys } from './schema/hot-attributes.ts'
export {
  kindOfNumber,
  type MetricKind,
  metricKinds,
  noRecordedValueFlag,
  numberOfKind,
  temporalities,
  temporalityOfNumber,
} from './schema/metric-numbers.ts'
export { kindOfSpan, spanKinds, spanStatuses, statusOfSpan } from './schema/span-numbers.ts'
export { type TelemetryTable, telemetryTableNames, telemetryTables } from './schema/tables.ts'
export { bucketNs, bucketSeconds, slotBits, slotsPerBucket } from './schema/value-buckets.ts'
export {
  describeFailedRelation,
  describeLogRecords,
  describeMeasured,
  describeMessageCount,
  describeMessageRow,
  describeMessages,
  describeMetric,
  describeRelation,
  describeRule,
  describeSeconds,
  type LastSeconds,
} from './sentence/describe.ts'
export { parseSentence, type ReadSentence } from './sentence/parse-sentence.ts'
export { InvalidSentence } from './sentence/sentence-reader.ts'
export {
  attachRowsFrom,
  type BackupSource,
  backUpDatabase,
  backupStatus,
  cancelBackup,
  countStoredRows,
  dropDatabase,
  findDatabase,
  restoreDatabase,
  truncateTable,
} from './statements/backup-statements.ts'
export { diskSpace, partCounts, partLimits } from './statements/capacity-statements.ts'
export {
  createDistributedTable,
  currentDistributedTables,
  localTables,
  nodesOfCluster,
  toReplicatedEngine,
} from './statements/cluster-statements.ts'
export {
  countExporterBuckets,
  countExporterDays,
  describeExporterTable,
  type ExporterRow,
  type ExporterSignal,
  type ExporterTable,
  exporterBucketSeconds,
  exporterClock,
  exporterColumns,
  readExporterRows,
} from './statements/exporter-statements.ts'
export {
  appliedMigrations,
  createLockTable,
  createMigrationsTable,
  dropLockTable,
  listLockTables,
  recordMigration,
  setLockHeldUntil,
} from './statements/migration-statements.ts'
export {
  alterRetention,
  compareRetention,
  createDatabase,
  currentMillis,
  currentSeconds,
  engineGrants,
  engineSession,
  insertRows,
  pingStatement,
  serverVersion,
} from './statements/store-statements.ts'
export { type StoredSpansRow, storedSpans } from './statements/stored-span-statements.ts'
export { countRowsOf, countSeriesOf, seriesIdsOf, storedBytes } from './statements/usage-statements.ts'
export {
  forgetEntries,
  markIndexed,
  type StoredBeforeRow,
  storedBefore,
  type UnindexedDay,
  type UnindexedRow,
  unindexedDays,
  unindexedRecords,
} from './statements/value-index-statements.ts'
export { byCodePoint } from './text-order.ts'
export { intrinsicNames, parseField } from './traceql/field-names.ts'
export type { TraceQl } from './traceql/parse-traceql.ts'
export { InvalidTraceQl } from './traceql/traceql-reader.ts'
export { millisecondsOfDuration } from './traceql/traceql-values.ts'
export {
  hashOfText,
  type IndexedTable,
  indexedIntrinsics,
  indexedTables,
  isIndexedDouble,
  isIndexedTable,
  presenceHash,
  saltOf,
  traceHash,
  valueHash,
  xxHash32,
} from './value-hash.ts'
