/** Limits of requests (docs/semantics.md, section 3). Lengths are in Unicode code points. */
export const conditionsMax = 50
export const matchersMax = 500
/** Limits the keys that conditions name and the keys of stored attributes, but not keys inside a value. */
export const keyCharactersMax = 256
export const valueCharactersMax = 4096
export const patternCharactersMax = 1000

/** The largest number of matched steps whose ids a message lists. Its count of matched steps is exact. */
export const matchedStepIdsMax = 1000

/** The number of newest spans of a service from which its profile is made (docs/semantics.md, section 8). */
export const profileSpansMax = 100_000

/** The largest number of classification rules of one service. */
export const classificationRulesMax = 100

/** The largest number of kinds and units of one metric that are listed. With more, the caller must choose one. */
export const metricStreamsMax = 16

/** How long before the window the previous point of a series is searched. */
export const metricLookbackNs = 600_000_000_000n
