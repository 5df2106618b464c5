/**
 * Returns what makes a button do nothing: while what it began is running, or once a save has left nothing to save. It
 * keeps the focus, which a disabled button loses. It comes after the other properties of the button.
 */
export function working(isInert: boolean) {
  return isInert ? ({ 'aria-disabled': true, type: 'button', onPress: () => {} } as const) : {}
}
