/** Answers of tools as texts of limited size: the query in words, what was left out, and the rest as JSON. */

/** Maximum size of an answer, in bytes of UTF-8. */
export const answerBytesMax = 32 * 1024

/** Maximum size of the sentence, in characters. It repeats the values of conditions, which can be long. */
const sentenceCharactersMax = 4_000

export interface ToolAnswer {
  /** Describes the query. */
  readonly sentence: string
  readonly body: Readonly<Record<string, unknown>>
  /** The list of the body whose elements are the result. */
  readonly list?: AnswerList
  /** Returns how to get what was left out, given how many elements of the list are shown. */
  readonly rest: (shown: number) => string
}

interface AnswerList {
  readonly name: string
  /** What the elements are called. */
  readonly noun: string
  /** The number of all elements, if the body has only the first ones because more never fit. */
  readonly total?: number
}

/** How much of texts and of lists inside the result is kept. */
interface Detail {
  readonly characters: number
  readonly elements: number
}

/** From the whole to the least, until the answer fits. */
const details: readonly Detail[] = [
  { characters: Number.POSITIVE_INFINITY, elements: Number.POSITIVE_INFINITY },
  { characters: 4_000, elements: 20 },
  { characters: 1_000, elements: 10 },
  { characters: 300, elements: 5 },
]
const least: Detail = { characters: 60, elements: 1 }

/**
 * Returns the text of an answer, which never exceeds `answerBytesMax`. An answer that is too large is shortened in
 * this order: long texts and lists inside its elements, each with a note of how much is missing, then its elements
 * from the end. The second line says what is missing and how to get it.
 */
export function answerText(answer: ToolAnswer): string {
  const sentence = shortenedText(answer.sentence, sentenceCharactersMax)
  for (const detail of details) {
    // Most large answers are too large as a whole, which is found without copying them.
    if (detail.characters === Number.POSITIVE_INFINITY && isTooLarge(answer.body)) continue
    const text = composeFitting(sentence, noteOf(answer, undefined, detail), shortened(answer, detail))
    if (text !== undefined) return text
  }
  return (
    textOfFewer(answer, sentence, details.at(-1) ?? least) ??
    textOfFewer(answer, sentence, least) ??
    bareText(answer, sentence)
  )
}

/** Keeps as many elements of the list as fit. Returns undefined if the rest of the body does not fit. */
function textOfFewer(answer: ToolAnswer, sentence: string, detail: Detail): string | undefined {
  const { list } = answer
  const body = shortened(answer, detail)
  const elements = list === undefined ? [] : (body[list.name] as readonly unknown[])
  const withElements = (shown: number) => {
    if (list === undefined) return composeFitting(sentence, noteOf(answer, undefined, detail), body)
    const kept = { ...body, [list.name]: elements.slice(0, shown) }
    // The cursor leads to the elements behind the last one, which is not shown.
    if (shown < elements.length && 'next_cursor' in kept) delete (kept as Record<string, unknown>).next_cursor
    return composeFitting(sentence, noteOf(answer, shown, detail), kept)
  }
  let shown = 0
  for (let step = 2 ** Math.ceil(Math.log2(elements.length + 1)); step >= 1; step /= 2) {
    const next = shown + step
    if (next <= elements.length && withElements(next) !== undefined) shown = next
  }
  return shown > 0 || elements.length === 0 ? withElements(shown) : undefined
}

function bareText({ rest, list }: ToolAnswer, sentence: string): string {
  const note = `Left out: the whole result, which exceeds ${answerBytesMax} bytes.`
  return `${sentence}\n${note} ${rest(list === undefined ? 0 : 1)}\n{}`
}

function noteOf({ body, list, rest }: ToolAnswer, shown: number | undefined, detail: Detail): string {
  const total = list === undefined ? 0 : (list.total ?? (body[list.name] as readonly unknown[]).length)
  const count = shown ?? total
  const fewer = list !== undefined && count < total
  const parts = [
    ...(fewer ? [`${total - count} of ${total} ${list.noun}`] : []),
    ...(detail.characters === Number.POSITIVE_INFINITY
      ? []
      : [`parts of long texts and lists, where "…" says how much`]),
  ]
  if (parts.length === 0) return ''
  return `Left out to stay under ${answerBytesMax} bytes: ${parts.join(', and ')}. ${rest(count)}`
}

/** Returns the text of an answer, or undefined if it is too large. */
function composeFitting(sentence: string, note: string, body: object): string | undefined {
  if (isTooLarge(body)) return undefined
  const text = [sentence, note, JSON.stringify(body)].filter((part) => part !== '').join('\n')
  return Buffer.byteLength(text) <= answerBytesMax ? text : undefined
}

/** Reports whether the JSON of a value exceeds `answerBytesMax`, by the least number of bytes that its parts take. */
function isTooLarge(value: unknown): boolean {
  return leftAfter(value, answerBytesMax) < 0
}

/**
 * Returns what is left of a number of bytes after the JSON of a value, of which it counts the least that its parts
 * take. It stops below 0, because writing many megabytes would block the event loop.
 */
function leftAfter(value: unknown, bytes: number): number {
  let left = bytes
  const open: unknown[] = [value]
  while (open.length > 0 && left >= 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) left -= typeof next === 'string' ? next.length + 2 : 1
    else if (Array.isArray(next)) left -= takeAll(next)
    else left -= takeAll(Object.values(next))
  }
  return left

  /** Counts a byte for each element. A list with more elements than the limit has bytes is too large anyway. */
  function takeAll(elements: readonly unknown[]): number {
    if (elements.length <= answerBytesMax) for (const element of elements) open.push(element)
    return elements.length
  }
}

/**
 * Shortens texts and lists below the elements of the answer's list, and those beside it. Ends the list with the element
 * that makes it too large, so that the time this takes does not depend on the elements that are left out.
 */
function shortened({ body, list }: ToolAnswer, detail: Detail): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => {
    const isResult = name === list?.name && Array.isArray(value)
    return [name, isResult ? shortenedElements(value, detail) : shortenedValue(value, detail)]
  })
  return Object.fromEntries(entries)
}

function shortenedElements(elements: readonly unknown[], detail: Detail): unknown[] {
  const kept: unknown[] = []
  let left = answerBytesMax
  for (const element of elements) {
    if (left < 0) break
    const next = shortenedValue(element, detail)
    kept.push(next)
    left = leftAfter(next, left)
  }
  return kept
}

function shortenedValue(value: unknown, detail: Detail): unknown {
  if (typeof value === 'string') return shortenedText(value, detail.characters)
  if (Array.isArray(value)) {
    const kept = value.slice(0, detail.elements).map((element) => shortenedValue(element, detail))
    return value.length > kept.length ? [...kept, `… ${value.length - kept.length} more`] : kept
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortenedValue(field, detail)]))
}

function shortenedText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  // Does not cut a surrogate pair.
  const kept = text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… (${text.length - kept.length} more characters)`
}
