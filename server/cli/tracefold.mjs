#!/usr/bin/env node
/** The `tracefold` command: TypeScript is run as it is, so the loader for it comes first. */
import { register } from 'tsx/esm/api'

register()
await import('./main.ts')
