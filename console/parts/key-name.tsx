import { Fragment } from 'react'
import { visibleText } from './value-text.ts'

/** The parts of a key, each with its separators. */
const keyParts = /[^._/-]*[._/-]*/g

/** Shows a key that wraps after a separator rather than within a word. */
export function KeyName({ name }: { readonly name: string }) {
  const parts =
    visibleText(name)
      .match(keyParts)
      ?.filter((part) => part !== '') ?? []
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a key have no other identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
