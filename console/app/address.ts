import { stringifySearchWith } from '@tanstack/react-router'

/** Parses a value of an address. Only lists, records and quoted texts are JSON; digits are a text like any other. */
function parseJson(text: string): unknown {
  if (!/^[[{"]/.test(text)) throw new SyntaxError('Not a list, a record or a quoted text.')
  return JSON.parse(text)
}

/** Parses the part of an address after its `?`. A trace id that consists of digits, for example, stays a text. */
export function parseSearch(search: string): Record<string, unknown> {
  const named = [...new URLSearchParams(search)].map(([name, text]): [string, unknown] => {
    try {
      return [name, parseJson(text)]
    } catch {
      return [name, text]
    }
  })
  return Object.fromEntries(named)
}

/** Writes what `parseSearch` reads. */
export const stringifySearch = stringifySearchWith(JSON.stringify, parseJson)
