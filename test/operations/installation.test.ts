import { expect, it } from 'vitest'

// The script is plain JavaScript, which has no types.
const script = new URL('../../scripts/ensure-installed.mjs', import.meta.url).href
const { missingInstallation } = await import(script)

const server = { version: '1.0.0', integrity: 'a' }
const tool = { version: '2.0.0', integrity: 'b', dev: true }
const foreign = { version: '3.0.0', integrity: 'c', optional: true }
const locked = {
  packages: { '': {}, 'node_modules/server': server, 'node_modules/tool': tool, 'node_modules/foreign': foreign },
}
const installed = (...names: string[]) => ({
  packages: Object.fromEntries(Object.entries(locked.packages).filter(([path]) => names.includes(path.slice(13)))),
})

const all = ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
const withoutDev = [...all, '--omit=dev']

it.each([
  ['a fresh clone', undefined, withoutDev, all],
  ['an installation without development dependencies', installed('server'), undefined, all],
  ['a whole installation', installed('server', 'tool'), undefined, undefined],
  ['a whole installation that lacks a dependency', installed('tool'), all, all],
  [
    'an installation of another version',
    { packages: { 'node_modules/server': { ...server, version: '0.9.0' } } },
    withoutDev,
    all,
  ],
])('npm start and npm test install what %s lacks, and npm start nothing else', (_, present, forStart, forTest) => {
  expect(missingInstallation(locked, present, { isProduction: true })).toEqual(forStart)
  expect(missingInstallation(locked, present, { isProduction: false })).toEqual(forTest)
})
