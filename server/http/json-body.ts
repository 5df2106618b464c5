import express, { type RequestHandler, type Response } from 'express'
import { invalid } from '../problem/problem.ts'
import { matchedOperation, requestState } from './request-state.ts'

/** 50 rows with the longest keys and values, in text that JSON escapes to six bytes a character, fit in this. */
export const bodyBytesMax = 2 * 1024 * 1024

/** Objects, lists and scalars of one body. More is no question about messages, but it would keep the validator busy. */
export const bodyValuesMax = 50_000

/** Levels of lists and objects inside each other. Deeper ones exhaust the stack of whatever walks them later. */
export const bodyDepthMax = 64

/** Reads a JSON body where the operation takes one; a body that is sent elsewhere is not read at all. */
export function readJsonBody(): RequestHandler {
  const parsers = new Map<number, RequestHandler>()
  return (request, response, next) => {
    const { requestTypes, bodyLimits } = matchedOperation(response)
    if (requestTypes.length === 0) return next()
    const limit = bodyLimits?.bytes ?? bodyBytesMax
    const parse = parsers.get(limit) ?? parserUpTo(limit)
    parsers.set(limit, parse)
    parse(request, response, next)
  }
}

function parserUpTo(limit: number): RequestHandler {
  return express.json({
    limit,
    type: 'application/json',
    // The parser takes an empty body for `{}`, which is a question that nobody asked.
    verify: (_request, response, bytes) => {
      requestState(response as Response).hasBody = bytes.length > 0
    },
  })
}

/** Raises 400 for no body where one is due, and for more values or depth than any operation needs, before the validator walks it. */
export function limitJsonBody(): RequestHandler {
  return (request, response, next) => {
    const { requestTypes, bodyLimits } = matchedOperation(response)
    if (requestTypes.length > 0) {
      if (!requestState(response).hasBody) throw invalid('', 'required', 'a body is required')
      checkSize(request.body, bodyLimits?.values ?? bodyValuesMax)
    }
    next()
  }
}

function checkSize(body: unknown, valuesMax: number): void {
  let values = 0
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= bodyDepthMax) throw invalid('', 'too_deep', `the body is nested more than ${bodyDepthMax} deep`)
    values += level.length
    if (values > valuesMax) throw invalid('', 'too_many', `the body holds more than ${valuesMax} values`)
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
}
