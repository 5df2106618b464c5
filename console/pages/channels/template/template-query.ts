import { queryOptions, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../openapi/types.ts'
import { api, dataOf, TracefoldProblem } from '../../../app/api.ts'

export type TemplateVariable = components['schemas']['TemplateVariable']
type FieldFault = components['schemas']['FieldFault']

const variablesMax = 200

/** Maximum size of a template in UTF-8 bytes. */
export const templateBytesMax = 32_768

export function bytesOf(template: string): number {
  return new TextEncoder().encode(template).length
}

export const variablesQuery = queryOptions({
  queryKey: ['template variables'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/api/v1/alerting/template-context-schema', { params: { query: { limit: variablesMax } }, signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The preview of a template: the body that would be posted, or its faults. */
export interface TemplatePreview {
  readonly template: string
  readonly text?: string
  readonly faults: readonly FieldFault[]
}

/** Renders a template as deliveries do. The faults of a template are a result, not an error. */
export function useTemplatePreview(template: string) {
  return useQuery({
    queryKey: ['template preview', template],
    queryFn: async ({ signal }): Promise<TemplatePreview> => {
      try {
        const body = { body_template: template }
        const { text } = await dataOf(api.POST('/api/v1/alerting/templates/preview', { body, signal }))
        return { template, text, faults: [] }
      } catch (error) {
        if (error instanceof TracefoldProblem && error.errors.length > 0) return { template, faults: error.errors }
        throw error
      }
    },
    placeholderData: (previous) => previous,
    gcTime: 10_000,
  })
}
