/** Seconds from one evaluation of a rule to the next. */
export const evaluationPeriodS = 15
