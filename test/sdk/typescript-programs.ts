import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProgram } from './answers.ts'
import { documentedArguments } from './documented-arguments.ts'
import { program } from './programs.ts'
import type { Step, StepContext } from './step.ts'
import { refuseWarnings } from './warnings.ts'

/** What a new project of a user has: strict, and with a bundler. */
const compilerOptions = {
  strict: true,
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  noEmit: true,
}

/** What compiles and runs a program. */
const compilers = ['typescript@5.9.3', 'esbuild@0.28.2', '@types/node@20.19.43']

/**
 * Returns the folder `node_modules` of the cache with what compiles a program and with these packages, `name@version`.
 * Installs them first if an earlier run has not.
 */
export function nodeModulesWith(cache: string, generators: readonly string[]): string {
  const packages = [...generators, ...compilers]
  const folder = join(cache, `node-${packages.join('-').replaceAll(/[^\w.]+/g, '-')}`)
  const marker = join(folder, 'installed')
  if (!existsSync(marker)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const args = ['install', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress']
    const { status, stderr } = spawnSync('npm', [...args, ...packages], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm could not install ${packages.join(' ')}:\n${stderr}`)
    mkdirSync(marker)
  }
  return join(folder, 'node_modules')
}

/** Compiles the program `name` beside the generated client in the folder of the step, runs it and checks its answer. */
export async function checkTypescript(context: StepContext, modules: string, name: string): Promise<void> {
  const { folder, run } = context
  cpSync(program(name), join(folder, 'main.ts'))
  if (!existsSync(join(folder, 'node_modules'))) symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '--project', folder])
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning', '--outfile=main.mjs']
  await run(join(modules, '.bin/esbuild'), ['main.ts', ...bundle])
  await checkProgram(context, process.execPath, ['main.mjs'])
}

/**
 * Returns the step of a generator whose package, `name@version`, and command have one name. It runs the command of
 * `clients/README.md`, refuses all warnings and checks the program `name`. `others` are packages that the client needs.
 */
export function stepOfGenerator(generator: string, others: readonly string[], name: string): Step {
  const [command = ''] = generator.split('@')
  return {
    name: command,
    needs: ['node', 'npm'],
    async run(context) {
      const { cache, run, target } = context
      const modules = nodeModulesWith(cache, [generator, ...others])
      const generate = documentedArguments({ command: generator, generator, url: target.url })
      refuseWarnings(await run(join(modules, '.bin', command), generate), [])
      await checkTypescript(context, modules, name)
    },
  }
}
