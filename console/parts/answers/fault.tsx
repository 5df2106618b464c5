import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { statusOf, TracefoldProblem, UnexpectedResponse } from '../../app/api.ts'
import { PartFault } from './load-part.ts'

/** An error of the console itself, with no response that explains it. */
export class ConsoleFault extends Error {
  override readonly name = 'ConsoleFault'
}

interface FaultProps {
  readonly error: Error
  readonly retry?: () => void
}

/**
 * Explains why a request failed, and offers what may help: a retry, after the pause that the server asked for, or a
 * reload of the page.
 */
export function Fault({ error, retry }: FaultProps) {
  const { title, detail, retryAfterSeconds = 0 } = describe(error)
  const errors = error instanceof TracefoldProblem ? error.errors : []
  const wait = useCountdown(retryAfterSeconds)
  const status = statusOf(error)
  const isMissing = error instanceof PartFault && error.isMissing
  const mayRetry = retry !== undefined && !isMissing && (status === undefined || status === 429 || status >= 500)
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>{title}</strong>
        {!repeats(detail, errors) && <p>{detail}</p>}
        <ul>
          {errors.map(({ pointer, message }) => (
            <li key={pointer + message}>
              {pointer !== '' && <code>{pointer}</code>} {message}
            </li>
          ))}
        </ul>
      </div>
      {mayRetry && (
        <Button className="button" isDisabled={wait > 0} onPress={retry}>
          {wait > 0 ? `Retry in ${wait} s` : 'Retry'}
        </Button>
      )}
      {isMissing && (
        <Button className="button" onPress={() => location.reload()}>
          Reload the page
        </Button>
      )}
    </div>
  )
}

/** Reports whether a text only repeats the single error of a problem, which is shown with its pointer. */
function repeats(text: string, [only, ...others]: TracefoldProblem['errors']): boolean {
  return only !== undefined && others.length === 0 && text.includes(only.message)
}

function describe(error: Error): { title: string; detail: string; retryAfterSeconds?: number | undefined } {
  const status = statusOf(error)
  if (status === 401) {
    return { title: 'The session had ended', detail: 'Nothing was done. After signing in, try again.' }
  }
  if (error instanceof TracefoldProblem) {
    const { problem, retryAfterSeconds } = error
    return { title: problem.title, detail: problem.detail, retryAfterSeconds }
  }
  if (error instanceof UnexpectedResponse && status !== undefined) {
    // For example the error page of a proxy.
    return { title: 'Unexpected answer', detail: error.message, retryAfterSeconds: error.retryAfterSeconds }
  }
  if (error instanceof UnexpectedResponse || error instanceof SyntaxError) {
    // For example the sign-in page of a proxy or of a network, which browsers get in place of the response.
    return { title: 'Unexpected answer', detail: 'The answer is not from this server, but from something in between.' }
  }
  if (error instanceof PartFault && error.isMissing) {
    const detail = 'The server may have been updated since this page was opened. Reload the page to go on.'
    return { title: 'A part of the page could not be loaded', detail }
  }
  if (error instanceof ConsoleFault) return { title: 'The console has failed', detail: error.message }
  return { title: 'No answer', detail: 'The server does not answer. Is it running, and is the network up?' }
}

function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => setLeft(seconds), [seconds])
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return left
}
