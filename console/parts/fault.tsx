import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { ApiFault } from '../app/api.ts'

interface FaultProps {
  readonly error: Error
  readonly retry?: () => void
}

/** Says why there is no answer and offers what may help: a retry, after the pause that the server asked for. */
export function Fault({ error, retry }: FaultProps) {
  const problem = error instanceof ApiFault ? error.problem : undefined
  const wait = useCountdown(error instanceof ApiFault ? (error.retryAfter ?? 0) : 0)
  const detail = problem?.detail ?? 'The server does not answer. Is it running, and is the network up?'
  const mayRetry = retry !== undefined && (problem === undefined || problem.status === 429 || problem.status >= 500)
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>{problem?.title ?? 'No answer'}</strong>
        <p>{detail}</p>
        <ul>
          {problem?.errors?.map(({ pointer, message }) => (
            <li key={pointer + message}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      </div>
      {mayRetry && (
        <Button className="button" isDisabled={wait > 0} onPress={retry}>
          {wait > 0 ? `Retry in ${wait} s` : 'Retry'}
        </Button>
      )}
    </div>
  )
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
