import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, FileTrigger } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { saveFile } from '../../parts/export/download.ts'
import { Segments } from '../../parts/forms/segments.tsx'
import { useSingleMutation } from '../../parts/records/single-mutation.ts'
import { working } from '../../parts/working.ts'
import { ImportPlan } from './import-plan.tsx'

type Config = components['schemas']['ConfigImport']
type Mode = components['schemas']['ImportMode']

const modes: readonly (readonly [Mode, string])[] = [
  ['merge', 'Keep other records'],
  ['replace', 'Delete other records'],
]

/** Moves the records of the organization to another installation and back. */
export function Transfer({ role }: { readonly role: string }) {
  const mayImport = role === 'contributor' || role === 'admin'
  return (
    <>
      <Export isMasked={!mayImport} />
      <section className="card facts">
        <h2>Import</h2>
        {mayImport ? <Import /> : <p className="soft">You need the contributor role to import. Your role is {role}.</p>}
      </section>
    </>
  )
}

function Export({ isMasked }: { readonly isMasked: boolean }) {
  const save = useMutation({
    mutationFn: async () => {
      const config = await dataOf(api.GET('/api/v1/config/export'))
      saveFile(new Blob([`${JSON.stringify(config, null, 2)}\n`], { type: 'application/json' }), 'tracefold.json')
    },
  })
  return (
    <section className="card facts">
      <h2>Export</h2>
      <p>
        Integrations, views, facets, classification rules, alert rules and channels, as one JSON file. Credentials and
        grants are not in it.
        {isMasked && ' The addresses and templates of channels are masked for your role, so it cannot be imported.'}
      </p>
      <p>
        <Button className="button" onPress={() => save.mutate()} {...working(save.isPending)}>
          Export the configuration
        </Button>
      </p>
      {save.error !== null && <Fault error={save.error} />}
    </section>
  )
}

interface ImportStateProps {
  /** Why the file cannot be read. */
  readonly unreadable: string | undefined
  readonly isPending: boolean
  readonly error: Error | null
  readonly retry: (() => void) | undefined
}

/** Shows the state of an import before there is a plan, or instead of one. */
function ImportState({ unreadable, isPending, error, retry }: ImportStateProps) {
  return (
    <>
      {unreadable !== undefined && (
        <p className="notice fault" role="alert">
          {unreadable}
        </p>
      )}
      {isPending && <Waiting className="plan-waiting" words="Finding what would change" />}
      {error !== null && <Fault error={error} {...(retry && { retry })} />}
    </>
  )
}

interface ChosenFile {
  readonly name: string
  readonly config: Config
}

/** Plans an import, which changes nothing, and applies it. Everything is read again afterwards. */
function useImports() {
  const queries = useQueryClient()
  const run = (dry_run: boolean) => ({
    mutationFn: (sent: { readonly config: Config; readonly mode: Mode }) => {
      const params = { query: { mode: sent.mode, dry_run } }
      return dataOf(api.POST('/api/v1/config/import', { params, body: sent.config }))
    },
  })
  const plan = useMutation(run(true))
  const apply = useSingleMutation({ ...run(false), onSuccess: () => queries.invalidateQueries() })
  return { plan, apply }
}

/** Reads a file and shows what its import would change. Nothing changes before the person has seen that. */
function Import() {
  const { plan, apply } = useImports()
  const [file, setFile] = useState<ChosenFile>()
  const [mode, setMode] = useState<Mode>('merge')
  const [unreadable, setUnreadable] = useState<string>()
  const see = (config: Config, next: Mode) => {
    setMode(next)
    apply.reset()
    plan.mutate({ config, mode: next })
  }
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    plan.reset()
    apply.reset()
    setFile(undefined)
    try {
      const config = JSON.parse(await chosen.text()) as Config
      setUnreadable(undefined)
      setFile({ name: chosen.name, config })
      see(config, mode)
    } catch {
      setUnreadable(`${chosen.name} is not JSON. Choose a file that was exported here.`)
    }
  }
  return (
    <>
      <Choices
        {...{ file, mode }}
        isRunning={apply.isPending}
        onFile={(chosen) => void choose(chosen)}
        onMode={(next) => file && see(file.config, next)}
      />
      <p className="soft">
        Records are matched by name. An import is applied completely or not at all, and nothing changes before you have
        seen what would.
      </p>
      <ImportState
        unreadable={unreadable}
        isPending={plan.isPending}
        error={plan.error ?? apply.error}
        // An import whose response was lost may have been applied, which a new plan shows.
        retry={file && (() => see(file.config, mode))}
      />
      {apply.data !== undefined && <ImportPlan result={apply.data} isDone />}
      {apply.data === undefined && plan.data !== undefined && file !== undefined && (
        <ImportPlan
          result={plan.data}
          isPending={apply.isPending}
          onApply={() => apply.mutate({ config: file.config, mode })}
        />
      )}
    </>
  )
}

interface ChoicesProps {
  readonly file: ChosenFile | undefined
  readonly mode: Mode
  /** Whether an import is running. Another choice does not stop it. */
  readonly isRunning: boolean
  readonly onFile: (file: File | undefined) => void
  readonly onMode: (mode: Mode) => void
}

/** Chooses the file of an import, and what happens to records that it does not contain. */
function Choices({ file, mode, isRunning, onFile, onMode }: ChoicesProps) {
  return (
    <div className="settings-form">
      <FileTrigger acceptedFileTypes={['application/json', '.json']} onSelect={(list) => onFile(list?.[0])}>
        <Button className="button" isDisabled={isRunning}>
          {file === undefined ? 'Choose a file' : 'Choose another file'}
        </Button>
      </FileTrigger>
      {file !== undefined && (
        <>
          <span className="mono">{file.name}</span>
          <Segments
            label="Records that are not in the file"
            value={mode}
            options={modes}
            isDisabled={isRunning}
            onChange={onMode}
          />
        </>
      )}
    </div>
  )
}
