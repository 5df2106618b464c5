import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../app/api.ts'
import { serverAddress } from '../app/login-command.ts'
import { useCaller } from '../app/session.tsx'
import { TopBar } from '../app/top-bar.tsx'
import { Fault } from '../parts/answers/fault.tsx'
import { GrantedOnly } from '../parts/answers/first-telemetry.tsx'
import { Waiting } from '../parts/answers/list-states.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { counted } from '../parts/counted.ts'
import { Choice } from '../parts/forms/choice.tsx'
import { SecretQuestion } from '../parts/records/leave-question.tsx'
import { useSingleMutation } from '../parts/records/single-mutation.ts'
import { working } from '../parts/working.ts'

const javaAgent =
  'https://github.com/open-telemetry/opentelemetry-java-instrumentation/releases/latest/download/' +
  'opentelemetry-javaagent.jar'

/** Commands that start a program in each language with an OpenTelemetry SDK that reads the environment. */
const languages = {
  node: [
    'Node.js',
    'npm install @opentelemetry/auto-instrumentations-node',
    'node --require @opentelemetry/auto-instrumentations-node/register app.js',
  ],
  python: [
    'Python',
    'pip install opentelemetry-distro opentelemetry-exporter-otlp && opentelemetry-bootstrap -a install',
    'opentelemetry-instrument python app.py',
  ],
  java: ['Java', `curl -LO ${javaAgent}`, 'java -javaagent:opentelemetry-javaagent.jar -jar app.jar'],
  go: [
    'Go',
    'go get go.opentelemetry.io/contrib/exporters/autoexport',
    'go run .   # with autoexport.NewSpanExporter in main',
  ],
  dotnet: [
    '.NET',
    'dotnet add package OpenTelemetry.Exporter.OpenTelemetryProtocol',
    'dotnet run   # with AddOtlpExporter() in Program.cs',
  ],
} as const

type Language = keyof typeof languages

/** Shows how to send the first span, with a key that is created here, and notices when it arrives. */
export function StartPage() {
  const [language, setLanguage] = useState<Language>('node')
  const key = useSingleMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/api-keys', { body: { name: 'First telemetry', role: 'ingest' } })),
  })
  const [isCopied, setCopied] = useState(false)
  const copied = () => setCopied(key.data !== undefined)
  const [, install, run] = languages[language]
  const environment = [
    `export OTEL_SERVICE_NAME=my-service`,
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${serverAddress()}`,
    `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`,
    // Some SDKs drop a header that contains a space.
    `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${key.data?.key ?? '$TRACEFOLD_KEY'}"`,
  ].join('\n')
  return (
    <>
      <TopBar title="Send data" />
      <main className="page">
        <Arrival />
        <GrantedOnly />
        <KeySection
          isMade={key.data !== undefined}
          isPending={key.isPending}
          error={key.error}
          onMake={() => key.mutate()}
        />
        <section className="card facts">
          <h2>2. Environment variables for your program</h2>
          <div className="copied-text">
            <pre onCopy={copied}>{environment}</pre>
            <CopyButton text={environment} label="Copy the variables" onCopied={copied} />
          </div>
          <SecretQuestion noun="key" isUncopied={key.data !== undefined && !isCopied} />
        </section>
        <section className="card facts">
          <h2>3. Your program with OpenTelemetry</h2>
          <Choice
            label="Language"
            value={language}
            options={Object.entries(languages).map(([id, [each]]): [Language, string] => [id as Language, each])}
            onChange={setLanguage}
          />
          <div className="copied-text">
            <pre>{`${install}\n${run}`}</pre>
            <CopyButton text={`${install}\n${run}`} label="Copy the commands" />
          </div>
        </section>
      </main>
    </>
  )
}

interface KeySectionProps {
  readonly isMade: boolean
  readonly isPending: boolean
  readonly error: Error | null
  readonly onMake: () => void
}

/** Creates a key, if the caller may. */
function KeySection({ isMade, isPending, error, onMake }: KeySectionProps) {
  const isAdmin = useCaller().data?.role === 'admin'
  return (
    <section className="card facts">
      <h2>1. API key</h2>
      {isMade && <p>The key is in the lines below. Keep them: it is not shown again.</p>}
      {!isMade && !isAdmin && <p>Ask an admin of your organization for a key with the role ingest.</p>}
      {!isMade && isAdmin && (
        <p>
          A key that can only send telemetry. It is shown once.{' '}
          <Button className="button primary" onPress={onMake} {...working(isPending)}>
            Create a key
          </Button>
        </p>
      )}
      {error !== null && <Fault error={error} />}
    </section>
  )
}

/** Milliseconds between two searches for the first message, and after it has arrived. */
const waitingPeriodMs = 3_000
const arrivedPeriodMs = 30_000

/** Shows whether messages have arrived in the last hour. */
function Arrival() {
  const { data, error } = useQuery({
    queryKey: ['arrival'],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/messages/count', { body: {}, signal })),
    refetchInterval: ({ state }) => (state.data?.message_count ? arrivedPeriodMs : waitingPeriodMs),
  })
  if (error !== null) return <Fault error={error} />
  if (data === undefined) return <Waiting className="arrival" words="Counting messages" />
  const { message_count: count } = data
  return (
    <div className="notice arrival" role="status">
      {count === 0 ? (
        <span>Waiting for messages… This page notices when they arrive.</span>
      ) : (
        <span>
          <strong>Telemetry is arriving:</strong> {counted(count, 'message')} in the last hour.{' '}
          <Link to="/">Look at them</Link>
        </span>
      )}
    </div>
  )
}
