import { isComplete, isNegative, type MessageRow } from './operators.ts'

/** Explains in one line why some conditions offer no child spans. Renders nothing without such a condition. */
export function ChildSpansHint({ rows }: { readonly rows: readonly MessageRow[] }) {
  const reasons = [
    ...(rows.some(isNegative)
      ? ['“Never” excludes whole messages. It has no step to start from, so it cannot include child spans.']
      : []),
    ...(rows.some(isOfField)
      ? [
          'Conditions on attributes can include child spans. ' +
            'Those on fields cannot, because every step or message has fields.',
        ]
      : []),
  ]
  return reasons.length === 0 ? null : <p className="soft hint">{reasons.join(' ')}</p>
}

function isOfField(row: MessageRow): boolean {
  const { attribute_source } = row
  return isComplete(row) && !isNegative(row) && (attribute_source === 'intrinsic' || attribute_source === 'message')
}
