import type { ComponentType } from 'react'
import { loadPart } from '../parts/answers/load-part.ts'

/**
 * Returns a page that is loaded before it is first shown. The router shows the fault of one that cannot be loaded, and
 * loads it again on request.
 */
export function laterPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let Page: ComponentType | undefined
  const LaterPage = () => Page && <Page />
  const preload = async () => {
    Page ??= (await loadPart(load))[name]
  }
  return Object.assign(LaterPage, { preload })
}
