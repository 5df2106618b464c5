/**
 * The migrations on disk: `NNNN-name.sql`, numbered without gaps from 0001. A released migration never changes.
 *
 * A file is a list of statements, each ended by a `;` at the end of a line. Every statement must be safe to run again
 * (`IF NOT EXISTS`, `MODIFY`, …), because a file that failed is run again from its start. `{name}` is replaced by a
 * value of the installation; ClickHouse's own parameters, `{name:Type}`, are left as they are.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Migration {
  /** `0001-spans` */
  readonly name: string
  /** SHA-256 of the file's content, in hexadecimal. */
  readonly checksum: string
  readonly text: string
}

export type Placeholders = Readonly<Record<string, string | number>>

export const migrationsFolder = fileURLToPath(new URL('../../../sql/schema/migrations', import.meta.url))

const fileNamePattern = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Reads the migrations of a folder, in order.
 * @throws Error when a file name is invalid, or a number is missing or used twice
 */
export function readMigrations(folder: string = migrationsFolder): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return files.map((file, index) => {
    const number = fileNamePattern.exec(file)?.[1]
    if (Number(number) !== index + 1) {
      const expected = String(index + 1).padStart(4, '0')
      throw new Error(
        `The migration ${file} should be named ${expected}-<name>.sql: numbers must not have gaps or duplicates.`,
      )
    }
    const text = readFileSync(path.join(folder, file), 'utf8')
    return { name: path.basename(file, '.sql'), checksum: createHash('sha256').update(text).digest('hex'), text }
  })
}

function isComment(statement: string): boolean {
  return statement.split('\n').every((line) => /^\s*(--.*)?$/.test(line))
}

/**
 * Returns the statements of a migration with its placeholders replaced.
 * @throws Error for a placeholder without a value
 */
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
