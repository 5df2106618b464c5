import { expect, it } from 'vitest'
import { parseRole, roleAllows, roles } from '../../server/auth/caller.ts'

it('each required role is satisfied by these roles', () => {
  const table = roles.map((required) => [required, roles.filter((role) => roleAllows(role, required)).join(' ')])
  expect(Object.fromEntries(table)).toEqual({
    restricted: 'restricted viewer contributor admin',
    viewer: 'viewer contributor admin',
    contributor: 'contributor admin',
    admin: 'admin',
    ingest: 'contributor admin ingest',
  })
})

it('a role is a known name, and editor is a contributor', () => {
  expect(['viewer', 'editor', 'Viewer', 'owner', '', undefined, 1, 'toString'].map(parseRole)).toEqual([
    'viewer',
    'contributor',
    ...Array(6).fill(undefined),
  ])
})
