import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../app/api.ts'
import { useCaller } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { DoneIcon, ErrorIcon } from '../../parts/icons.tsx'

interface Readiness {
  readonly status: string
  readonly checks: readonly { readonly name: string; readonly ready: boolean; readonly detail?: string }[]
}

/** The names of the parts of a server, by the names of their checks. */
const parts: Readonly<Record<string, string>> = {
  server: 'Server',
  clickhouse: 'Telemetry store',
  migrations: 'Migrations',
  metadata: 'Metadata store',
  capacity: 'Disk space and parts',
}

const documents = [
  ['docs', 'API reference', 'every operation, with examples that run here'],
  ['openapi.json', 'OpenAPI document', 'for generated clients'],
  ['metrics', 'Metrics', 'of the server itself, in the Prometheus text format'],
] as const

/** Shows the version of this server, whether its parts work, and where its documentation is. */
export function AboutPage() {
  const caller = useCaller().data
  const described = useQuery({
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
          <dl className="health-list">
            <div>
              <dt>Address</dt>
              <dd className="mono">{new URL('.', document.baseURI).href}</dd>
            </div>
            <div>
              <dt>Version</dt>
              <dd>{described.data?.info.version ?? '…'}</dd>
            </div>
            <ClickHouseVersion />
            {caller !== undefined && (
              <div>
                <dt>Signed in</dt>
                <dd>
                  {caller.subject} with the role {caller.role} in {caller.org}
                </dd>
              </div>
            )}
          </dl>
        </section>
        <Health />
        <section className="card facts">
          <h2>Documentation</h2>
          <dl className="health-list">
            {documents.map(([address, title, words]) => (
              <div key={address}>
                <dt>
                  <a href={address}>{title}</a>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      </main>
    </>
  )
}

/** Reads the version as the signed-in caller, because it is of use to attackers. */
function ClickHouseVersion() {
  const { data, isError } = useQuery({
    queryKey: ['versions'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/server', { signal })),
    staleTime: 60_000,
  })
  return (
    <div>
      <dt>ClickHouse</dt>
      <dd>
        {isError ? (
          <span className="soft">unknown, because it could not be reached</span>
        ) : (
          (data?.clickhouse_version ?? '…')
        )}
      </dd>
    </div>
  )
}

/** Whether the stores of the server work, read again every ten seconds. */
function Health() {
  const { data, error, refetch } = useQuery({
    queryKey: ['readiness'],
    // The response has the same shape, with status 503, when the server is not ready.
    queryFn: async ({ signal }): Promise<Readiness> =>
      (await fetch(new URL('readyz', document.baseURI), { signal })).json(),
    refetchInterval: 10_000,
  })
  // Every server has the same parts, so their lines are there before the first response.
  const waiting = error === null ? Object.keys(parts).map((name) => ({ name, ready: undefined })) : []
  return (
    <section className="card facts" aria-live="polite">
      <h2>Health</h2>
      {error !== null && <Fault error={error} retry={() => void refetch()} />}
      <dl className="health-list">
        {(data?.checks ?? waiting).map((check) => (
          <div key={check.name}>
            <dt>{parts[check.name] ?? check.name}</dt>
            <CheckResult {...check} />
          </div>
        ))}
      </dl>
    </section>
  )
}

interface CheckResultProps {
  /** Undefined until there is an answer. */
  readonly ready: boolean | undefined
  readonly detail?: string
}

function CheckResult({ ready, detail }: CheckResultProps) {
  if (ready === undefined) return <dd className="soft">…</dd>
  return (
    <dd className={ready ? '' : 'failed-text'}>
      {ready ? <DoneIcon /> : <ErrorIcon />}
      {ready ? 'works' : `does not work: ${detail}`}
    </dd>
  )
}
