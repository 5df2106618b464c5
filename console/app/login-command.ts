/** Returns the address of the server, as this page reaches it, without a slash at its end. */
export function serverAddress(): string {
  return new URL('.', document.baseURI).href.replace(/\/$/, '')
}

interface LinkedPerson {
  readonly org: string
  readonly role: string
  readonly subject: string | undefined
}

/** Returns the command that makes a login link. Only the machine of the server can: it has the key that signs links. */
export function loginCommand({ org, role, subject }: LinkedPerson): string {
  const person = subject === undefined ? '' : ` --sub ${quoted(subject)}`
  return `npx tracefold login-link --org ${quoted(org)} --role ${role}${person} --url ${serverAddress()}`
}

/** Writes a word for a shell. */
function quoted(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
