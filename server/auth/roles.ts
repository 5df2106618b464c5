import type { Role } from './caller.ts'

/** Who may do what needs a role. `ingest` is no step of the ladder: it sends telemetry and reads nothing. */
const allowed: Readonly<Record<Role, readonly Role[]>> = {
  restricted: ['restricted', 'viewer', 'contributor', 'admin'],
  viewer: ['viewer', 'contributor', 'admin'],
  contributor: ['contributor', 'admin'],
  admin: ['admin'],
  ingest: ['ingest', 'contributor', 'admin'],
}

export const roles = Object.keys(allowed) as readonly Role[]

/** Whether a caller with `role` may do what needs `required`; what needs `ingest` is sending telemetry. */
export function roleAllows(role: Role, required: Role): boolean {
  return allowed[required].includes(role)
}

/** The role that a text names, as a claim or on a command line; `editor` is an older name of `contributor`. */
export function parseRole(text: unknown): Role | undefined {
  return text === 'editor' ? 'contributor' : roles.find((role) => role === text)
}
