/** Runs before anything is painted, so that the first paint already has the right theme. */
import { readStored, showTheme } from './app/stored-preferences.ts'

showTheme(readStored().theme, matchMedia('(prefers-color-scheme: dark)').matches)
