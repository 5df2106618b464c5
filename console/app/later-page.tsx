import type { ComponentType } from 'react'
import { loadPart } from '../parts/answers/load-part.ts'

/**
 * Returns a page whose code is loaded when it is first opened. If that fails, the router shows the fault and loads the
 * page again on request.
 */
export function laterPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let Page: ComponentType | undefined
  const LaterPage = () => Page && <Page />
  const preload = async () => {
    Page ??= (await loadPart(load))[name]
  }
  return Object.assign(LaterPage, { preload })
}
