/** Returns the cells of the Markdown table under a heading, one list for each row except the header. */
export function tableUnder(markdown: string, heading: string): string[][] {
  const lines = markdown.split('\n')
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (from < 0) throw new Error(`The document has no heading ${JSON.stringify(heading)}.`)
  const rest = lines.slice(from + 1)
  const first = rest.findIndex((line) => line.startsWith('|'))
  const after = rest.findIndex((line, index) => index > first && !line.startsWith('|'))
  return rest.slice(first + 2, after < 0 ? undefined : after).map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
}

/** Removes the backticks of inline code. */
export function plain(cell: string | undefined): string {
  return (cell ?? '').replaceAll('`', '')
}
