import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { defaults, type Preferences, readStored, showTheme, store } from './stored-preferences.ts'

interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void
}

const Context = createContext<PreferencesState>({ ...defaults, set: () => {} })

export function usePreferences(): PreferencesState {
  return useContext(Context)
}

/** Keeps the preferences in the browser and applies the theme to the document. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [preferences, setPreferences] = useState(readStored)
  const systemIsDark = useMedia('(prefers-color-scheme: dark)')
  const { theme } = preferences
  useEffect(() => showTheme(theme, systemIsDark), [theme, systemIsDark])
  const value = useMemo(() => {
    const set = (change: Partial<Preferences>) => {
      const next = { ...preferences, ...change }
      setPreferences(next)
      store(next)
    }
    return { ...preferences, set }
  }, [preferences])
  return <Context value={value}>{children}</Context>
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
