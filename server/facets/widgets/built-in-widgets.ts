import type { components } from '../../../openapi/types.ts'

/** What is shown of a facet on a dashboard, without its data. */
export type Widget = components['schemas']['Widget']

/** By the slug of the facet; in the order in which they are shown. */
export type BuiltInWidgets = Readonly<Record<string, readonly Widget[]>>

export const builtInWidgets: BuiltInWidgets = {}
