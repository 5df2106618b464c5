import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Headers = Readonly<Record<string, string>>

/** Returns the JavaScript function that docs/webhooks.md gives to authors of receivers. */
export async function documentedVerifier(): Promise<
  (secret: string, headers: Headers, body: string, nowSeconds?: number) => boolean
> {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
  const [, code] = /```js\n(.*?)```/s.exec(document) ?? []
  if (code === undefined) throw new Error('docs/webhooks.md has no JavaScript function.')
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return isGenuine
}
