import { Button } from 'react-aria-components'

/** Says that a view was not changed or deleted because another person has changed it. */
export function ChangedMeanwhile({ onAgain }: { readonly onAgain: () => void }) {
  return (
    <div className="notice fault" role="alert">
      This view was changed meanwhile, by another person or in another tab. Nothing was saved or deleted.
      <Button className="button" onPress={onAgain}>
        Read it again
      </Button>
    </div>
  )
}
