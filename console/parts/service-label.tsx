import { serviceColour } from './service-colour.ts'
import { visibleText } from './value-text.ts'

interface ServiceLabelProps {
  readonly name: string
  readonly title?: string
}

/** A service by its colour and its name, which takes no more than a line. */
export function ServiceLabel({ name, title }: ServiceLabelProps) {
  return (
    <span className="service" title={title}>
      <span className="service-dot" style={{ background: serviceColour(name) }} />
      <bdi>{visibleText(name)}</bdi>
    </span>
  )
}
