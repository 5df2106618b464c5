/**
 * Moves the focus from the save button to the first refused field, once the page shows the faults: the field may be far
 * above. If the person is typing meanwhile, the focus stays. A field with suggestions is only scrolled into view,
 * because its list would open and hide the rest of the page.
 */
export function focusFirstFault(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement?.matches('input, textarea, [contenteditable=true]')) return
      const place = document.querySelector('[role=dialog]') ?? document
      const field = place.querySelector<HTMLElement>('[aria-invalid=true]')
      if (field?.role === 'combobox') field.scrollIntoView({ block: 'nearest' })
      else field?.focus()
    }),
  )
}
