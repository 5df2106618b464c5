/**
 * Returns what a button has while what it began is running, or has left nothing to do, as a save has: it does nothing,
 * but it keeps the focus, which a disabled button loses. It comes after the other properties of the button.
 */
export function working(isIdle: boolean) {
  return isIdle ? ({ 'aria-disabled': true, type: 'button', onPress: () => {} } as const) : {}
}
