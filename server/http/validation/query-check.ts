import type { RequestHandler } from 'express'
import type { FieldFault } from '../../problem/problem.ts'
import { matchedOperation } from '../request/request-context.ts'
import { parameterTypeMessage } from './fault-messages.ts'
import { invalidRequest } from './request-faults.ts'
import { unpairedSurrogates } from './unpaired-surrogates.ts'

/**
 * Refuses names and values that are not percent-encoded UTF-8, in which Express would replace bytes by U+FFFD. Runs
 * before the validator.
 */
export const checkQueryEncoding: RequestHandler = ({ originalUrl }, _response, next) => {
  const at = originalUrl.indexOf('?')
  const query = at < 0 ? '' : originalUrl.slice(at + 1)
  const encoded = query.split('&').filter((pair) => !isDecodable(pair))
  const names = new Set(encoded.map((pair) => pair.split('=', 1)[0]))
  const message = 'is not percent-encoded UTF-8'
  refuse([...names].map((name) => ({ pointer: `#/query/${name}`, code: 'malformed', message })))
  next()
}

/**
 * Refuses integers that only JavaScript reads as such, for example `0x10`, `1e1` and ` 1`: the validator converts
 * values as JavaScript does. Runs before the validator.
 */
export const checkQueryIntegers: RequestHandler = ({ query }, response, next) => {
  const { integerNames } = matchedOperation(response)
  refuse(
    integerNames
      .filter((name) => isMisspelledInteger(query[name]))
      .map((name) => ({
        pointer: `#/query/${name}`,
        code: 'type',
        message: parameterTypeMessage(['integer'], query[name]),
      })),
  )
  next()
}

/** Refuses unpaired surrogates, which the JSON text of a parameter may contain. Runs after the validator. */
export const checkQueryTexts: RequestHandler = ({ query }, _response, next) => {
  refuse(unpairedSurrogates(query, '#/query'))
  next()
}

function refuse(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw invalidRequest(faults)
}

function isMisspelledInteger(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && Number.isInteger(Number(value)) && !/^-?\d+$/.test(value)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
