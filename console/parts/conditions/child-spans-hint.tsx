import { isNegative, type MessageRow } from '../operators.ts'

/** Says why conditions that exclude whole messages offer no child spans. Nothing without such a condition. */
export function ChildSpansHint({ rows }: { readonly rows: readonly MessageRow[] }) {
  if (!rows.some(isNegative)) return null
  return (
    <p className="soft hint">
      “Never” excludes whole messages. It has no step to start from, so it cannot include child spans.
    </p>
  )
}
