import { nearestName } from '#sql'
import { type Problem, problem } from '../../problem/problem.ts'
import { apiPrefix } from '../contract/document.ts'
import type { Operation } from '../contract/operations.ts'

/** Longer paths are answered without a suggestion. */
const comparedCharactersMax = 200

/**
 * Returns the 404 for a path that the server does not have, with the path of the document that it probably means. It
 * quotes nothing of the request.
 */
export function nothingAtPath(path: string, operations: readonly Pick<Operation, 'path'>[]): Problem {
  return problem('not_found', `There is nothing at this path${suggestion(path, operations)}`)
}

function suggestion(path: string, operations: readonly Pick<Operation, 'path'>[]): string {
  if (path.length > comparedCharactersMax) return '.'
  const [, signal] = /\/v1\/(traces|metrics|logs)\/?$/.exec(path) ?? []
  if (signal !== undefined) return otlpSuggestion(signal)
  const known = [...new Set(operations.map((operation) => operation.path))]
  const meant = nearestPath(path, known) ?? nearestPath(belowPrefix(path), known)
  if (meant !== undefined) return `; did you mean ${meant}?`
  return `. The API is below ${apiPrefix}; OTLP is at /v1/traces, /v1/metrics and /v1/logs. /docs lists all paths.`
}

function otlpSuggestion(signal: string): string {
  const variable = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
  return (
    `; did you mean /v1/${signal}? SDKs append it to OTEL_EXPORTER_OTLP_ENDPOINT, which is the address of the server ` +
    `alone. They do not append it to ${variable}.`
  )
}

/** Returns a path below the prefix of the API, in place of a part of the prefix or another version of it. */
function belowPrefix(path: string): string {
  return `${apiPrefix}${path.replace(/^\/(api\/)?(v\d+\/)?/, '')}`
}

/**
 * Returns the known path with as many segments as the given one, each of them near, or undefined. A `{name}` stands for
 * any segment.
 */
function nearestPath(path: string, known: readonly string[]): string | undefined {
  const segments = segmentsOf(path)
  const changesOf = (each: string) => segmentsOf(each).filter((name, at) => name !== segments[at]).length
  return known
    .filter((each) => {
      const names = segmentsOf(each)
      return names.length === segments.length && names.every((name, at) => isNear(`${segments[at]}`, name))
    })
    .sort((left, right) => changesOf(left) - changesOf(right))[0]
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function isNear(segment: string, name: string): boolean {
  return name.startsWith('{') || nearestName(segment, [name]) !== undefined
}
