/**
 * Moves the focus from the button that saves to the first field that was refused, once the page says what is wrong with
 * it: the field may be far above. Where a person types meanwhile, the focus stays.
 */
export function focusFirstFault(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement?.matches('input, textarea, [contenteditable=true]')) return
      const place = document.querySelector('[role=dialog]') ?? document
      place.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    }),
  )
}
