import { keepText, keptText } from '../parts/browser-storage.ts'

const themes = ['light', 'dark', 'system'] as const

type Theme = (typeof themes)[number]

/** The preferences of a person in this browser. They change how results look, never the results. */
export interface Preferences {
  readonly theme: Theme
  readonly isUtc: boolean
}

const storageKey = 'tracefold.preferences'
export const defaults: Preferences = { theme: 'system', isUtc: false }

export function readStored(): Preferences {
  try {
    const { theme, isUtc } = JSON.parse(keptText('local', storageKey) ?? '{}')
    return { theme: themes.includes(theme) ? theme : defaults.theme, isUtc: isUtc === true }
  } catch {
    return defaults
  }
}

export function store(preferences: Preferences): void {
  keepText('local', storageKey, JSON.stringify(preferences))
}

/** Applies a theme to the document. */
export function showTheme(theme: Theme, systemIsDark: boolean): void {
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
