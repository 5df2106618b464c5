import { alerts } from './alerts.ts'
import { compile } from './compile.ts'
import { extremeShapes } from './extremes.ts'
import { growth } from './growth.ts'
import { logs } from './logs.ts'
import { metrics } from './metrics.ts'
import { mix } from './mix.ts'
import type { Section } from './section.ts'
import { services } from './services.ts'
import { usualShape } from './usual-shape.ts'
import { worstCase } from './worst-case.ts'

/** All that `npm run bench` can measure, in the order of the results. Another section is a file and an entry here. */
export const sections: readonly Section[] = [
  worstCase,
  usualShape,
  mix,
  extremeShapes,
  services,
  logs,
  metrics,
  alerts,
  compile,
  growth,
]

/** Loads 15 times what the others do, so it runs only when it is named. */
export const runsWhenNamed: readonly Section[] = [growth]
