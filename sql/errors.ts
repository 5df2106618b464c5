/** A fault of a request, at an RFC 6901 pointer into its body. */
export interface QueryFault {
  readonly pointer: string
  readonly code:
    | 'unknown_operator'
    | 'unknown_source'
    | 'unknown_intrinsic'
    | 'unknown_field'
    | 'missing_value'
    | 'required'
    | 'not_a_number'
    | 'unsafe_integer'
    | 'invalid_pattern'
    | 'pattern_too_long'
    | 'patterns_too_costly'
    | 'key_too_long'
    | 'value_too_long'
    | 'too_many_conditions'
    | 'descendants_not_allowed'
    | 'mixed_group'
    | 'unknown_relation'
    | 'within_not_allowed'
    | 'wrong_type'
  readonly message: string
}

/** Thrown for an invalid query. It contains all faults that were found. */
export class InvalidQuery extends Error {
  readonly faults: readonly QueryFault[]

  constructor(faults: readonly QueryFault[]) {
    super(faults[0]?.message ?? 'The query is not valid.')
    this.name = 'InvalidQuery'
    this.faults = faults
  }
}
