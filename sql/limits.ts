/** Limits of requests (docs/semantics.md, section 3). Lengths are in Unicode code points. */
export const conditionsMax = 50
export const matchersMax = 500
export const relationsMax = 5
/** The maximum time between the two steps of a relation, in milliseconds: 100 years. */
export const withinMsMax = 3_155_760_000_000
/** Limits the keys in conditions and the keys of stored attributes, but not keys within a value. */
export const keyCharactersMax = 256
export const valueCharactersMax = 4096
export const patternCharactersMax = 1000

/** The maximum number of matched steps whose ids a message lists. The count of matched steps is not limited. */
export const matchedStepIdsMax = 1000

/** The number of newest messages of each side that a comparison covers (docs/questions.md, section 14). */
export const comparedMessagesMax = 100_000
/** A comparison lists keys with more values than this on one side separately. */
export const comparedValuesMax = 1_000
/** The number of pairs of key and value that a comparison returns. */
export const comparedPairsMax = 50

/** The number of newest spans of a service that its profile covers (docs/semantics.md, section 8). */
export const profileSpansMax = 100_000

/** The maximum number of classification rules of one service. */
export const classificationRulesMax = 100

/**
 * The maximum number of combinations of kind and unit of one metric that are listed. With more, the caller must add
 * conditions.
 */
export const metricStreamsMax = 16

/** How far before the window the previous point of a series is looked up, in nanoseconds. */
export const metricLookbackNs = 600_000_000_000n
