/**
 * Returns the id of a link or an exemplar as it is stored, in hexadecimal, or null if its sender had none. Some SDKs
 * send zeros then, which are no valid id.
 */
export function sentId(hex = ''): string | null {
  return /^0*$/.test(hex) ? null : hex
}
