import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** An entry of package-lock.json. */
interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
  /** Present for packages that exist for some platforms only. */
  readonly os?: readonly string[]
}

interface Notice {
  /** `name version (license)` */
  readonly title: string
  readonly text: string
}

const heading = `THIRD-PARTY NOTICES

Tracefold is distributed with, or installs, the following software. Each part is licensed by its authors under the terms
below. Written by \`npm run generate\` from package-lock.json and the installed packages; do not edit.
`

/** Copies outside node_modules: the files that are vendored, and the library of the embedded engine. */
function ownNotices(): Notice[] {
  return [
    {
      title: 'ClickHouse, as the library of @chdb/lib-* (Apache-2.0)',
      text:
        'Copyright ClickHouse, Inc. and the authors of chDB. The library contains third-party libraries, which are\n' +
        'listed with their licenses in https://github.com/ClickHouse/ClickHouse/tree/master/contrib.\n\n' +
        read('LICENSE'),
    },
    { title: 'opentelemetry-proto, in server/ingest/proto (Apache-2.0)', text: read('server/ingest/proto/LICENSE') },
  ]
}

/** Returns the license and notice files of an installed package. */
function textsOf(path: string): string[] {
  if (!existsSync(join(root, path))) throw new Error(`${path} is not installed. Run npm ci.`)
  const files = readdirSync(join(root, path)).filter((name) => /^(licen[cs]e|notice|copying)([.-]|$)/i.test(name))
  return files.sort().map((name) => read(join(path, name)))
}

function noticeOf(path: string, { version, license = '', os }: LockedPackage): Notice {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  // Packages for other platforms are not installed. Their texts are those of the package that requires them.
  const texts = os === undefined ? textsOf(path) : []
  if (texts.length === 0 && license === '') throw new Error(`${name} states no license.`)
  const fallback = `Licensed under ${license} by its authors. The package contains no separate license file.`
  const title = [name, version, ...(license === '' ? [] : [`(${license})`])].join(' ')
  return { title, text: texts.length > 0 ? texts.join('\n') : fallback }
}

/** Trims lines and line ends, so that equal licenses are recognized. */
function normalized(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

/** Returns the text of THIRD-PARTY-NOTICES: the license of every production dependency, each text once. */
export function noticesText(): string {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }
  const locked = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  const titles = new Map<string, string[]>()
  for (const { title, text } of [...ownNotices(), ...locked.map(([path, entry]) => noticeOf(path, entry))]) {
    const key = normalized(text)
    titles.set(key, [...new Set([...(titles.get(key) ?? []), title])])
  }
  const rule = '-'.repeat(80)
  const sections = [...titles].map(([text, names]) => `${rule}\n${names.join('\n')}\n${rule}\n\n${text}\n`)
  return [heading, ...sections].join('\n')
}
