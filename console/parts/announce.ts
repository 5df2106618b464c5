/**
 * Announces to screen readers what happens away from the focus. The words replace the previous ones. Empty words remove
 * them, so that nobody reads them later.
 */
export function announce(words: string): void {
  document.querySelector('[data-announcements]')?.replaceChildren(words)
}
