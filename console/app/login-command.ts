/** Returns the address of the server, as this page reaches it, without a slash at its end. */
export function serverAddress(): string {
  return new URL('.', document.baseURI).href.replace(/\/$/, '')
}

interface LinkedPerson {
  readonly org: string
  readonly role: string
  readonly subject: string | undefined
}

/**
 * Returns the command that creates a login link. It only works on the machine of the server, which has the key that
 * signs links.
 */
export function loginCommand({ org, role, subject }: LinkedPerson): string {
  const person = subject === undefined ? '' : ` --sub ${quoted(subject)}`
  return `npx tracefold login-link --org ${quoted(org)} --role ${role}${person} --url ${serverAddress()}`
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
