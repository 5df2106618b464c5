import { expect, it } from 'vitest'
import { treeOrder } from '../support/reference-tree.ts'
import { trace } from '../support/trace-text.ts'

it('places every span before the spans below it, siblings by start, orphans as roots of their own', () => {
  const spans = trace`
    root        t+10ms
      second    t+30ms
        below   t+0ms
      first     t+20ms
    orphan      t+5ms ^missing
      adopted
  `
  expect(treeOrder(spans).map(({ span, depth }) => `${depth} ${span.name}`)).toEqual([
    '0 orphan',
    '1 adopted',
    '0 root',
    '1 first',
    '1 second',
    '2 below',
  ])
})

it('omits spans that are not below a root', () => {
  const spans = trace`
    one    ^two
      two
        three
    root
  `
  expect(treeOrder(spans).map(({ span }) => span.name)).toEqual(['root'])
})
