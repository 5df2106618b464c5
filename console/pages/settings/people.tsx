import { useState } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { loginCommand } from '../../app/login-command.ts'
import { useCaller } from '../../app/session.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { type Role, roleOptions, roleWords } from './roles.ts'

/** Explains the roles, and how a colleague signs in. */
export function People() {
  const isAtIssuer = document.querySelector('meta[name="sign-in"]')?.getAttribute('content') === 'issuer'
  return (
    <>
      <section className="card facts">
        <h2>A colleague signs in</h2>
        {isAtIssuer ? (
          <p>
            People sign in at the identity provider of this server. An administrator there gives them an organization
            and a role; they open this page and choose <em>Sign in</em>.
          </p>
        ) : (
          <LinkCommand />
        )}
      </section>
      <section className="card facts">
        <h2>Roles</h2>
        <dl className="role-list">
          {roleOptions.map(([role]) => (
            <div key={role}>
              <dt>{role}</dt>
              <dd>{roleWords[role]}</dd>
            </div>
          ))}
        </dl>
        <p className="soft">Programs have roles too: each API key has one.</p>
      </section>
    </>
  )
}

/** Shows the command that creates a login link. */
function LinkCommand() {
  const org = useCaller().data?.org ?? ''
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const command = loginCommand({ org, role, subject: name === '' ? 'grace' : name })
  return (
    <>
      <p>
        Run this on the server’s machine, with its <code>DATA_DIR</code>, and send the link that it prints. The link
        signs in once and within ten minutes; the session lasts for up to seven days.
      </p>
      <div className="settings-form">
        <TextField value={name} onChange={setName}>
          <Label>Name of the colleague</Label>
          <Input className="field" placeholder="grace" maxLength={200} />
        </TextField>
        <Choice
          label="Role of the colleague"
          value={role}
          options={roleOptions.filter(([each]) => each !== 'ingest')}
          onChange={setRole}
        />
      </div>
      <div className="copied-text">
        <pre>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p className="soft">
        The role {role} {roleWords[role]}. No operation of the API makes links: a program with a key must not be able to
        become a person.
      </p>
    </>
  )
}
