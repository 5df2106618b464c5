import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Moves the focus to a control once it is enabled: what waits for an answer takes no focus before it. */
export async function focusOn(control: Locator): Promise<void> {
  await expect.poll(() => control.isEnabled()).toBe(true)
  await control.focus()
}

/** Presses a control by the Enter key. */
export async function press(control: Locator): Promise<void> {
  await focusOn(control)
  await control.press('Enter')
}

/** Expects that a control gets the focus. */
export function expectFocus(control: Locator): Promise<void> {
  return expect.poll(() => control.evaluate((element) => element.matches(':focus'))).toBe(true)
}
