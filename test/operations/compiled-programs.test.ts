import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runner } from '../support/fork-typescript.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Creates an installation with one program, in a folder or one below it, and without a temporary directory. */
function createInstallation(below = '') {
  const root = join(temporaryFolder(), below)
  cpSync(dirname(runner), join(root, 'server/launch'), { recursive: true })
  mkdirSync(join(root, 'node_modules'))
  for (const name of ['esbuild', '@esbuild']) symlinkSync(join(modules, name), join(root, 'node_modules', name))
  writeFileSync(join(root, 'answer.ts'), 'export const answer: number = 42\n')
  const program = join(root, 'program.ts')
  writeFileSync(
    program,
    "import { answer } from './answer.ts'\nconsole.log(answer, process.argv.slice(2), import.meta.url)\n",
  )
  const bundles = join(root, 'node_modules/.cache/tracefold')
  return {
    root,
    bundles,
    countBundles: () => readdirSync(bundles).filter((name) => !name.endsWith('.json')).length,
    async run(...args: readonly string[]) {
      const env = { PATH: process.env.PATH, TMPDIR: join(root, 'absent') }
      const child = execFile(process.execPath, [join(root, 'server/launch/run.mjs'), program, ...args], { env })
      let [stdout, stderr] = ['', '']
      child.stdout?.on('data', (text: string) => {
        stdout += text
      })
      child.stderr?.on('data', (text: string) => {
        stderr += text
      })
      const [code] = await once(child, 'close')
      return { code: code as number, stdout, stderr }
    },
  }
}

describe('a compiled program', () => {
  it('receives its arguments and the address of its source, and needs no temporary directory', async () => {
    const { root, run } = createInstallation()
    const { stdout } = await run('a', '--b')
    expect(stdout).toBe(`42 [ 'a', '--b' ] file://${root}/program.ts\n`)
    expect(readdirSync(root)).not.toContain('absent')
  })

  it('may be in a folder with any name', async () => {
    const { root, run } = createInstallation("it's $& 100%25 #1? ü")
    writeFileSync(join(root, 'answer.ts'), "export const answer = 'import.meta.url'.length\n")
    const { stdout } = await run()
    const [, url = ''] = /(file:.*)/.exec(stdout) ?? []
    expect(fileURLToPath(url)).toBe(join(root, 'program.ts'))
  })

  it('is compiled once for each content', async () => {
    const { root, run, countBundles } = createInstallation()
    await Promise.all([run(), run()])
    const compiled = countBundles()
    await run()
    expect(countBundles()).toBe(compiled)
    writeFileSync(join(root, 'answer.ts'), 'export const answer: number = 43\n')
    expect((await run()).stdout).toMatch(/^43 /)
    expect(countBundles()).toBe(compiled + 1)
  })

  it('reports errors at the lines of its source', async () => {
    const { root, run } = createInstallation()
    writeFileSync(
      join(root, 'answer.ts'),
      'interface Nothing {}\n\nthrow new Error("wrong")\nexport const answer: Nothing = 1\n',
    )
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining(`${root}/answer.ts:3:7`) })
  })
})

describe('code that another user planted', () => {
  const plant = (bundles: string) => {
    for (const name of readdirSync(bundles, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('program.js')) writeFileSync(join(bundles, name), "console.log('planted')\n")
  }

  it('is not run from a folder that other users can write to', async () => {
    const { bundles, run } = createInstallation()
    await run()
    plant(bundles)
    for (const folder of [bundles, dirname(bundles)]) {
      chmodSync(folder, 0o777)
      const { code, stdout, stderr } = await run()
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(`${folder} can be written by another user, who could run code as this one. Delete it.\n`)
      chmodSync(folder, 0o755)
    }
  })

  it('is not run from a folder of another user', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('Giving a folder to another user requires root.')
    const { bundles, run } = createInstallation()
    await run()
    plant(bundles)
    chownSync(bundles, 65_534, 65_534)
    expect(await run()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(bundles) })
  })
})

it('no program is started by a loader that compiles into the shared temporary directory', () => {
  const { dependencies, devDependencies, scripts } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  expect([...Object.keys(dependencies), ...Object.keys(devDependencies)]).not.toContain('tsx')
  expect(Object.values<string>(scripts).filter((script) => script.includes('--import'))).toEqual([])
})
