import { Button } from 'react-aria-components'
import { Fault } from '../../parts/answers/fault.tsx'
import { working } from '../../parts/working.ts'
import { type Channel, useTestSend } from './channel-query.ts'
import { Attempts, DeliveryState } from './deliveries.tsx'

interface TestSendProps {
  readonly channel: Channel
  /** Whether the form has edits that are not saved. */
  readonly isEdited: boolean
}

/** Posts a sample alert in the same way as deliveries, and shows the response of the receiver. */
export function TestSend({ channel, isEdited }: TestSendProps) {
  const test = useTestSend(channel.id)
  const { data, error } = test
  return (
    <section className="card test-send" aria-label="Test">
      <div className="field-line">
        <Button className="button" onPress={() => test.mutate()} {...working(test.isPending)}>
          {test.isPending ? 'Sending…' : 'Send a test'}
        </Button>
        <span className="soft">
          {isEdited
            ? 'Posts a sample alert with the saved settings, without your edits.'
            : 'Posts a sample alert exactly like a delivery.'}
        </span>
      </div>
      {error !== null && <Fault error={error} retry={() => test.mutate()} />}
      {data !== undefined && !test.isPending && (
        <div className="test-result" role="status">
          <DeliveryState state={data.state} attempts={data.attempts} />
          {data.state === 'pending' && <p>The receiver has not answered yet. The result will be in the deliveries.</p>}
          {data.template_error !== null && (
            <p className="field-fault">
              The template could not be rendered, so the alert JSON was posted in its place: {data.template_error}
            </p>
          )}
          <Attempts attempts={data.attempts} />
        </div>
      )}
    </section>
  )
}
