/**
 * Returns what a button has while what it began is running: it does nothing, but it keeps the focus, which a disabled
 * button loses. It comes after the other properties of the button.
 */
export function working(isRunning: boolean) {
  return isRunning ? ({ 'aria-disabled': true, type: 'button', onPress: () => {} } as const) : {}
}
