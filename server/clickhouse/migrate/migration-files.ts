/**
 * The migrations on disk: `NNNN-name.sql`, numbered without gaps from 0001, never changed once released.
 *
 * A file is a list of statements, each ended by a `;` at the end of a line. Every statement must do no harm when it
 * runs again (`IF NOT EXISTS`, `MODIFY`, …), since a file that was cut short is run again from its start. `{name}`
 * stands for a value of the installation; ClickHouse's own parameters, `{name:Type}`, are left alone.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Migration {
  /** `0001-spans` */
  readonly name: string
  /** SHA-256 of the file as it is on disk, in hexadecimal. */
  readonly checksum: string
  readonly text: string
}

export type Placeholders = Readonly<Record<string, string | number>>

export const migrationsFolder = fileURLToPath(new URL('../../../sql/schema/migrations', import.meta.url))

const fileNamePattern = /^(\d{4})-[a-z0-9-]+\.sql$/

/** In order. @throws Error when a name does not fit or a number is missing or used twice */
export function readMigrations(folder: string = migrationsFolder): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return files.map((file, index) => {
    const number = fileNamePattern.exec(file)?.[1]
    if (Number(number) !== index + 1) {
      const expected = String(index + 1).padStart(4, '0')
      throw new Error(
        `The migration ${file} should be named ${expected}-<name>.sql: numbers have neither gaps nor doubles.`,
      )
    }
    const text = readFileSync(path.join(folder, file), 'utf8')
    return { name: path.basename(file, '.sql'), checksum: createHash('sha256').update(text).digest('hex'), text }
  })
}

function isComment(statement: string): boolean {
  return statement.split('\n').every((line) => /^\s*(--.*)?$/.test(line))
}

/** The statements of a migration with its placeholders filled in. @throws Error for a placeholder without a value */
export function statementsOf(migration: Migration, placeholders: Placeholders): string[] {
  return migration.text
    .split(/;[ \t]*$/m)
    .filter((statement) => !isComment(statement))
    .map((statement) =>
      statement.trim().replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
        const value = placeholders[name]
        if (value === undefined)
          throw new Error(`The migration ${migration.name} has an unknown placeholder {${name}}.`)
        return String(value)
      }),
    )
}
