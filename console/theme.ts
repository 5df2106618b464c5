/** Runs before anything is painted, so that the first picture of the page has the colours of the others. */
import { readStored, showTheme } from './app/stored-preferences.ts'

showTheme(readStored().theme, matchMedia('(prefers-color-scheme: dark)').matches)
