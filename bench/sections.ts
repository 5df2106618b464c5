import { alerts } from './alerts.ts'
import { beyondSearch } from './beyond-search.ts'
import { compile } from './compile.ts'
import { consolePages } from './console/console.ts'
import { conventionalSchema } from './conventional-schema.ts'
import { exporterImport } from './exporter-import/exporter-import.ts'
import { extremeShapes } from './extremes.ts'
import { growth } from './growth.ts'
import { logs } from './logs.ts'
import { metrics } from './metrics.ts'
import { mix } from './mix.ts'
import { tempo } from './peers/tempo/tempo.ts'
import { repeats } from './repeats.ts'
import type { Section } from './section.ts'
import { services } from './services.ts'
import { singleMessages } from './single-messages.ts'
import { worstCase } from './worst-case.ts'

/** All sections in the order of the results. A new section is one file and one entry here. */
export const sections: readonly Section[] = [
  worstCase,
  conventionalSchema,
  tempo,
  mix,
  extremeShapes,
  services,
  repeats,
  logs,
  metrics,
  alerts,
  beyondSearch,
  singleMessages,
  compile,
  consolePages,
  growth,
  exporterImport,
]

/** Sections that run only when named, because they take longer than the others. */
export const runsWhenNamed: readonly Section[] = [growth, exporterImport]
