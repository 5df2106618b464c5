/** Shows the fault of a condition below it. */
export function RowFault({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  if (fault === undefined) return null
  return (
    <p className="row-fault" id={id} role="alert">
      {fault}
    </p>
  )
}
