type Theme = 'light' | 'dark' | 'system'

/** What a person chooses for this browser. It changes how answers look, never what they are. */
export interface Preferences {
  readonly theme: Theme
  readonly isUtc: boolean
}

const storageKey = 'tracefold.preferences'
export const defaults: Preferences = { theme: 'system', isUtc: false }

export function readStored(): Preferences {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return defaults
  }
}

export function store(preferences: Preferences): void {
  localStorage.setItem(storageKey, JSON.stringify(preferences))
}

/** Applies a theme to the document. */
export function showTheme(theme: Theme, systemIsDark: boolean): void {
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
