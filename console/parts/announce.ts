/**
 * Lets screen readers say what happens elsewhere than at the focus. The words replace those before; empty ones are
 * taken back, so that nobody reads them later.
 */
export function announce(words: string): void {
  document.querySelector('[data-announcements]')?.replaceChildren(words)
}
