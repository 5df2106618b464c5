import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentedArguments } from '../documented-arguments.ts'
import type { Step } from '../step.ts'
import { checkTypescript, nodeModulesWith } from '../typescript-programs.ts'
import { refuseWarnings } from '../warnings.ts'

// The newest version for Node 20. Those from 0.96 on require Node 22.
const generator = '@hey-api/openapi-ts@0.95.0'

export const heyApi: Step = {
  name: 'hey-api',
  needs: ['node', 'npm'],
  async run(context) {
    const { cache, folder, run, target } = context
    const modules = nodeModulesWith(cache, [generator])
    const documented = { command: 'openapi-ts', generator, url: target.url }
    const generate = [...documentedArguments(documented), '--no-log-file']
    refuseWarnings(await run(join(modules, '.bin/openapi-ts'), generate), [])
    refuseRenamedTypes(readFileSync(join(folder, 'client/types.gen.ts'), 'utf8'))
    await checkTypescript(context, modules, 'hey_api.ts')
  },
}

/** Throws if two types were given one name, which the generator solves without a word by `Service2`. */
function refuseRenamedTypes(code: string): void {
  const names = [...code.matchAll(/^export type (\w+)/gm)].map(([, name]) => `${name}`)
  const renamed = names.filter((name) => /\D\d+$/.test(name) && names.includes(name.replace(/\d+$/, '')))
  if (renamed.length > 0) throw new Error(`Types were renamed: ${renamed.join(', ')}`)
}
