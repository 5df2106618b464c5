import { visibleText } from './value-text.ts'

/** Shows the name of a step, which some senders leave empty. */
export function SpanName({ name }: { readonly name: string }) {
  return name === '' ? <i className="soft">no name</i> : visibleText(name)
}
