/** Throws for each line of a generator's output that warns and that none of `explained` matches. */
export function refuseWarnings(output: string, explained: readonly RegExp[]): void {
  const lines = output.split('\n').filter((line) => /\b(warn(ing)?|error)\b/i.test(line))
  const unexplained = lines.filter((line) => !explained.some((pattern) => pattern.test(line)))
  if (unexplained.length > 0) throw new Error(`Warnings that nothing explains:\n${unexplained.join('\n')}`)
}
