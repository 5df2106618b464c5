import type { components } from '../../openapi/types.ts'
import { collectFaults } from '../http/collect-faults.ts'
import { type FieldFault, invalidFields, type Problem, problem } from '../http/problem.ts'
import type { Metadata } from '../metadata/database.ts'
import {
  type ConfigSection,
  type ImportMode,
  Interrupted,
  type SectionImport,
  type SectionName,
  type SectionResult,
  sectionNames,
} from './sections.ts'

export const formatVersion = 1

const triesMax = 20

type ConfigImport = components['schemas']['ConfigImport']

export interface PreparedImport {
  readonly imports: readonly (readonly [SectionName, SectionImport])[]
}

/**
 * Checks every record of every part.
 * @throws Problem 422 for what this version does not know, 400 with every fault of every record
 */
export function prepareImport(sections: readonly ConfigSection[], body: ConfigImport): PreparedImport {
  refuseUnknown(sections, body)
  const faults: FieldFault[] = []
  const imports = sections.flatMap((section) => {
    const records = body[section.name]
    if (records === undefined) return []
    const prepared = collectFaults(faults, () => section.prepare(records, `/${section.name}`))
    return prepared === undefined ? [] : [[section.name, prepared] as const]
  })
  if (faults.length > 0) throw invalidFields(faults)
  return { imports }
}

function refuseUnknown(sections: readonly ConfigSection[], body: ConfigImport): void {
  if (body.format_version !== formatVersion) {
    const message = `This version reads format_version ${formatVersion} only.`
    throw refused(message, [{ pointer: '/format_version', code: 'unknown_version', message }])
  }
  const known: readonly SectionName[] = sections.map(({ name }) => name)
  const unknown = sectionNames.filter((name) => !known.includes(name) && (body[name]?.length ?? 0) > 0)
  if (unknown.length === 0) return
  const message = `This version has no ${unknown.join(', ')}: import the rest without them.`
  const faultOf = (name: SectionName) => ({
    pointer: `/${name}`,
    code: 'unknown_section',
    message: 'is not known here',
  })
  throw refused(message, unknown.map(faultOf))
}

function refused(detail: string, errors: readonly FieldFault[]): Problem {
  return problem('refused', detail, { errors })
}

/** All of it or nothing, in one transaction. */
export async function runImport(
  metadata: Metadata,
  { imports }: PreparedImport,
  org: string,
  mode: ImportMode,
): Promise<Partial<Record<SectionName, SectionResult>>> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      return await metadata.transaction(async (transaction) => {
        const results: Partial<Record<SectionName, SectionResult>> = {}
        for (const [name, run] of imports) results[name] = await run(transaction, org, mode)
        return results
      })
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
    }
  }
  throw problem('unavailable', 'The configuration is being changed by many at once.', { retryAfterSeconds: 1 })
}
