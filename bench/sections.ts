import { extremeShapes } from './extremes.ts'
import { logs } from './logs.ts'
import type { Section } from './section.ts'
import { services } from './services.ts'
import { worstCase } from './worst-case.ts'

/** All that `npm run bench` measures, in the order of the results. Another section is a file and an entry here. */
export const sections: readonly Section[] = [worstCase, extremeShapes, services, logs]
