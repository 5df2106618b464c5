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

it('begins a cycle at its first span, after all trees', () => {
  const spans = trace`
    one    ^three t+20ms
      two         t+10ms
        three     t+30ms
          below   t+0ms
    root          t+40ms
    self   ^self  t+50ms
  `
  expect(treeOrder(spans).map(({ span, depth, parent }) => [depth, span.name, parent?.name])).toEqual([
    [0, 'root', undefined],
    [0, 'two', undefined],
    [1, 'three', 'two'],
    [2, 'below', 'three'],
    [2, 'one', 'three'],
    [0, 'self', undefined],
  ])
})
