import ts from 'typescript'
import { nodesOf, type SourceFile } from './source-file.ts'

const columnsMax = 120

/** Finds lines that are too long, including templates and comments. Generated files are exempt. */
export function longLines({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  if (/generated|^openapi\/types\.ts$/.test(path)) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line].length > columnsMax ? [`${path}:${index + 1}: over ${columnsMax} columns`] : [],
    )
}

/** Finds `...{ a, b }` in literals, which keeps the formatter from breaking lines. Write the properties out instead. */
export function spreadLiterals({ path, tree }: SourceFile): string[] {
  return nodesOf(tree)
    .filter((node) => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
    .map((node) => `${path}:${lineOf(tree, node)}: a literal is spread into a literal`)
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
}

/** Finds tests that are skipped without a reason. */
export function silentSkips({ path, tree }: SourceFile): string[] {
  return nodesOf(tree)
    .filter(ts.isPropertyAccessExpression)
    .filter(({ expression, name }) => {
      const isOfVitest = /^(describe|it)(\.|$)/.test(expression.getText())
      return isOfVitest && ['skip', 'skipIf', 'runIf', 'todo'].includes(name.text)
    })
    .map((node) => `${path}:${lineOf(tree, node)}: skipped without a reason`)
}

const statement =
  /^\s*(SELECT|INSERT INTO|CREATE (TABLE|DATABASE|OR REPLACE)|ALTER TABLE|DROP (TABLE|DATABASE)|TRUNCATE|RENAME|SYSTEM|BACKUP|RESTORE|KILL|OPTIMIZE|SHOW|EXISTS|DESCRIBE)\s/

/** Finds SQL outside `sql/`, except in the metadata store, which has its own. */
export function sqlInServer({ path, tree }: SourceFile): string[] {
  if (!path.startsWith('server/') || path.startsWith('server/metadata/')) return []
  return nodesOf(tree)
    .filter((node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
    .filter((node) => statement.test(node.getText().slice(1)))
    .map((node) => `${path}:${lineOf(tree, node)}: SQL text outside sql/ and server/metadata/`)
}

/** Phrases that read like a translation and must be replaced by idiomatic English. */
const phrases: readonly RegExp[] = [
  /\/\*\* Of /,
  /\/\*\* The same\b/,
  /\bThe same,/,
  /\bis none\b/,
  /\banew\b/i,
  /\bwho(m)?ever\b/i,
  /\bsomebody\b/i,
  /\bcame of\b/,
  /\bcomes of\b/,
  /\bso many\b/i,
  /\btold\b/i,
  /\bno moment\b/,
  /\bcould not be found out\b/,
  /\bthe usual shape\b/,
  /\bas patient as\b/,
]

/** Finds banned phrases in a text, such as a comment. `path` is the file to report. */
export function bannedPhrases({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  return text.split('\n').flatMap((line, index) =>
    phrases.flatMap((phrase) => {
      const found = phrase.exec(line)
      return found === null ? [] : [`${path}:${index + 1}: ${JSON.stringify(found[0])} in: ${line.trim()}`]
    }),
  )
}
