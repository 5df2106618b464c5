import { Button } from 'react-aria-components'
import { type Caller, isSamePerson } from './session.tsx'

interface OtherPersonProps {
  /** The caller that the page showed until now. */
  readonly before: Caller
  readonly now: Caller
  readonly onClose: () => void
}

/** Says that another person is now signed in on this page, because the tabs of a browser share the session. */
export function OtherPerson({ before, now, onClose }: OtherPersonProps) {
  return (
    <div className="other-person" role="alert">
      {isSamePerson(before, now) ? (
        <p>
          The role of <Name {...now} /> is now {now.role}. It was {before.role}.
        </p>
      ) : (
        <p>
          <strong>
            This browser is now signed in as <Name {...now} />, with the role {now.role}.
          </strong>{' '}
          This page was open for <Name {...before} />, whose answers and edits are no longer shown.
        </p>
      )}
      <Button className="button" onPress={onClose}>
        Continue
      </Button>
    </div>
  )
}

function Name({ subject, org }: Caller) {
  return (
    <bdi>
      {subject} in {org}
    </bdi>
  )
}
