import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

type Theme = 'light' | 'dark' | 'system'

/** What a person chooses for this browser. It changes how answers look, never what they are. */
interface Preferences {
  readonly theme: Theme
  readonly isUtc: boolean
}

interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void
}

const storageKey = 'tracefold.preferences'
const defaults: Preferences = { theme: 'system', isUtc: false }

const Context = createContext<PreferencesState>({ ...defaults, set: () => {} })

export function usePreferences(): PreferencesState {
  return useContext(Context)
}

/** Keeps the preferences in the browser and applies the theme to the document. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [preferences, setPreferences] = useState(readStored)
  const systemIsDark = useMedia('(prefers-color-scheme: dark)')
  const { theme } = preferences
  useEffect(() => {
    const isDark = theme === 'dark' || (theme === 'system' && systemIsDark)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }, [theme, systemIsDark])
  const value = useMemo(() => {
    const set = (change: Partial<Preferences>) => {
      const next = { ...preferences, ...change }
      setPreferences(next)
      localStorage.setItem(storageKey, JSON.stringify(next))
    }
    return { ...preferences, set }
  }, [preferences])
  return <Context value={value}>{children}</Context>
}

function readStored(): Preferences {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return defaults
  }
}

function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query])
  const [matches, setMatches] = useState(media.matches)
  useEffect(() => {
    const update = () => setMatches(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [media])
  return matches
}
