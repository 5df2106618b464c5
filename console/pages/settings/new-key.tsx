import { useState } from 'react'
import { Button, Input, Label, TextField } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { SecretQuestion } from '../../parts/records/leave-question.tsx'
import { useSingleMutation } from '../../parts/records/single-mutation.ts'
import { currentTime } from '../../parts/time/clock.ts'
import { working } from '../../parts/working.ts'
import { type Role, roleOptions, roleWords } from './roles.ts'

type ApiKeyCreated = components['schemas']['ApiKeyCreated']

const dayMs = 86_400_000

/** The lifetimes of a key, in days. */
const lifetimes = {
  never: ['does not expire', undefined],
  '30': ['expires in 30 days', 30],
  '90': ['expires in 90 days', 90],
  '365': ['expires in a year', 365],
} as const
type Lifetime = keyof typeof lifetimes
const lifetimeOptions = Object.entries(lifetimes).map(([id, [words]]) => [id as Lifetime, words] as const)

interface ShownKey extends ApiKeyCreated {
  readonly isCopied: boolean
}

/**
 * Creates keys, and shows each until it was copied and another one is created. A key cannot be shown again, because the
 * server stores only its hash.
 */
export function NewKey({ onMade }: { readonly onMade: () => void }) {
  const [made, setMade] = useState<readonly ShownKey[]>([])
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('ingest')
  const [lifetime, setLifetime] = useState<Lifetime>('never')
  const make = useSingleMutation({
    mutationFn: () => {
      const days = lifetimes[lifetime][1]
      const expires_at = days === undefined ? null : new Date(currentTime().getTime() + days * dayMs).toISOString()
      return dataOf(api.POST('/api/v1/api-keys', { body: { name: name.trim(), role, expires_at } }))
    },
    onSuccess: (key) => {
      setMade((before) => [...before.filter(({ isCopied }) => !isCopied), { ...key, isCopied: false }])
      // A name that was typed meanwhile is that of the next key.
      setName((now) => (now.trim() === key.name ? '' : now))
    },
    // If the response is lost, the key is in the list, where it can be revoked.
    onSettled: onMade,
  })
  return (
    <section className="card facts" aria-label="New API key">
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') make.mutate()
        }}
      >
        <TextField value={name} onChange={setName}>
          <Label>What the key is for</Label>
          <Input className="field" maxLength={200} placeholder="collector in eu-west" />
        </TextField>
        <Choice label="Role of the key" value={role} options={roleOptions} onChange={setRole} />
        <Choice label="Expiry" value={lifetime} options={lifetimeOptions} onChange={setLifetime} />
        <Button type="submit" className="button primary" isDisabled={name.trim() === ''} {...working(make.isPending)}>
          Create a key
        </Button>
      </form>
      <p className="soft">
        A key with the role {role} {roleWords[role]}.
      </p>
      {make.error !== null && <Fault error={make.error} />}
      {made.map((key) => (
        <MadeKey
          key={key.id}
          made={key}
          onCopied={() =>
            setMade((all) => all.map((each) => (each.id === key.id ? { ...each, isCopied: true } : each)))
          }
          onDone={() => setMade((all) => all.filter(({ id }) => id !== key.id))}
        />
      ))}
      {/* Another part of the settings is on the same page, but shows no key. */}
      <SecretQuestion noun="key" isUncopied={made.some(({ isCopied }) => !isCopied)} isKept={() => false} />
    </section>
  )
}

interface MadeKeyProps {
  readonly made: ShownKey
  readonly onCopied: () => void
  readonly onDone: () => void
}

function MadeKey({ made: { name, key }, onCopied, onDone }: MadeKeyProps) {
  return (
    <div className="notice made-key" role="status">
      <span>
        <strong>{name}</strong>: copy the key now. It is not shown again.
      </span>
      <code onCopy={onCopied}>{key}</code>
      <CopyButton text={key} label={`Copy the key ${name}`} onCopied={onCopied} />
      <Button className="button" aria-label={`Done with ${name}`} onPress={onDone}>
        Done
      </Button>
    </div>
  )
}
