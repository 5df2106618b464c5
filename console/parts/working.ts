/**
 * Returns the properties of a button that does nothing while its action is running, or once a save has left nothing to
 * save. It keeps the focus, which a disabled button would lose. Pass them after the other properties of the button.
 */
export function working(isInert: boolean) {
  return isInert ? ({ 'aria-disabled': true, type: 'button', onPress: () => {} } as const) : {}
}
