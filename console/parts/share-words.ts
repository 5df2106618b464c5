/** Formats a share as a percentage. Only zero is 0%, and only the whole is 100%. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%'
  if (share < 1 && share > 0.999) return '>99.9%'
  const percent = share * 100
  return `${Number(percent.toFixed(percent < 10 || percent > 99 ? 1 : 0))}%`
}
