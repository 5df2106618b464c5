import { type Widget, type WidgetDefinition, widgetDefinitions } from './definitions.ts'

export type { Widget }

/** By the slug of the facet; in the order in which they are shown. */
export type BuiltInWidgets = Readonly<Record<string, readonly Widget[]>>

/** What is told of the widgets, without what they measure. */
export const builtInWidgets: BuiltInWidgets = Object.fromEntries(
  [...widgetDefinitions].map(([slug, definitions]) => [slug, definitions.map(toWidget)]),
)

function toWidget({ id, title, kind, unit }: WidgetDefinition): Widget {
  return { id, title, kind, unit }
}

const byId: ReadonlyMap<string, WidgetDefinition> = new Map(
  [...widgetDefinitions.values()].flat().map((definition) => [definition.id, definition]),
)

export function widgetNamed(id: string): WidgetDefinition | undefined {
  return byId.get(id)
}
