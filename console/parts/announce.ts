/**
 * Lets screen readers say what happens elsewhere than at the focus. The words replace those before them. Empty words
 * remove them, so that nobody comes upon them later.
 */
export function announce(words: string): void {
  document.querySelector('[data-announcements]')?.replaceChildren(words)
}
