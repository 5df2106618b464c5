import { useQuery } from '@tanstack/react-query'
import { useCaller } from '../app/session.tsx'
import { TopBar } from '../app/top-bar.tsx'

interface Readiness {
  readonly status: string
  readonly checks: readonly { readonly name: string; readonly ready: boolean; readonly detail?: string }[]
}

/** Tells what this server is and whether its parts work. */
export function AboutPage() {
  const caller = useCaller()
  const readiness = useQuery({
    queryKey: ['readiness'],
    // The answer has the same shape when the server is not ready, with status 503.
    queryFn: async ({ signal }): Promise<Readiness> =>
      (await fetch(new URL('readyz', document.baseURI), { signal })).json(),
    refetchInterval: 10_000,
  })
  const document_ = useQuery({
    queryKey: ['version'],
    queryFn: async ({ signal }): Promise<{ info: { version: string } }> =>
      (await fetch(new URL('openapi.json', document.baseURI), { signal })).json(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <TopBar title="About" />
      <main className="page">
        <section className="card facts">
          <h2>This server</h2>
          <dl>
            <dt>Version of the API</dt>
            <dd>{document_.data?.info.version ?? '…'}</dd>
            <dt>Signed in as</dt>
            <dd>
              {caller.data?.subject} with the role {caller.data?.role} in {caller.data?.org}
            </dd>
            <dt>Reference of the API</dt>
            <dd>
              <a href="docs">API reference</a> · <a href="openapi.json">OpenAPI document</a>
            </dd>
          </dl>
        </section>
        <section className="card facts">
          <h2>Health</h2>
          <dl>
            {(readiness.data?.checks ?? []).map(({ name, ready, detail }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{ready ? 'works' : `does not work: ${detail}`}</dd>
              </div>
            ))}
          </dl>
        </section>
      </main>
    </>
  )
}
