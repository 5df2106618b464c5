import { ErrorIcon } from './icons.tsx'

/** The lowest OTLP severity number of an error. */
export const errorSeverity = 17

interface SeverityMarkProps {
  /** The text that was sent, of any length; empty without one. */
  readonly severity: string
  readonly severity_number: number
}

/** Shows the severity of a log record in at most one line. */
export function SeverityMark({ severity, severity_number }: SeverityMarkProps) {
  const isError = severity_number >= errorSeverity
  const text = severity === '' ? String(severity_number || '–') : severity
  return (
    <span className={isError ? 'severity failed-text' : 'severity'} title={text}>
      {isError && <ErrorIcon />}
      <span>{text}</span>
    </span>
  )
}
