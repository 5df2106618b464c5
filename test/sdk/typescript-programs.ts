import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProgram } from './answers.ts'
import { program } from './programs.ts'
import type { StepContext } from './step.ts'

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

/**
 * Returns the folder `node_modules` of the cache with these packages, `name@version`, and installs them first if an
 * earlier run has not.
 */
export function nodeModulesWith(cache: string, packages: readonly string[]): string {
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
