import { serviceColour } from './service-colour.ts'
import { visibleText } from './value-text.ts'

interface ServiceLabelProps {
  readonly name: string
  readonly title?: string
}

/** Shows the colour and the name of a service in at most one line. */
export function ServiceLabel({ name, title }: ServiceLabelProps) {
  return (
    <span className="service" title={title}>
      <span className="service-dot" style={{ background: serviceColour(name) }} />
      <bdi>{visibleText(name)}</bdi>
    </span>
  )
}
