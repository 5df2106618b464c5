/** Limits of what may be asked (semantics, section 3). Lengths are in Unicode code points. */
export const conditionsMax = 50
export const matchersMax = 500
/** Keys of attributes that are stored are no longer than what a condition may name; keys inside a value may be. */
export const keyCharactersMax = 256
export const valueCharactersMax = 4096
export const patternCharactersMax = 1000

/** Ids of matched steps that a message names; its count of them is exact. */
export const matchedStepIdsMax = 1000

/** Spans of one service that its profile is made from: the newest ones (semantics, section 8). */
export const profileSpansMax = 100_000

/** Classification rules of one service. */
export const classificationRulesMax = 100

/** Kinds and units of one metric that are looked at; who has more chooses among them. */
export const metricStreamsMax = 16

/** How long before the window the point before the first one of a series is looked for. */
export const metricLookbackNs = 600_000_000_000n
