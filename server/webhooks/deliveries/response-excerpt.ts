import { redacted } from '../../secrets/secret-box.ts'

const excerptBytesMax = 4_096
/** Shorter ones would take single letters out of every answer. */
const secretCharactersMin = 4

/**
 * The beginning of an answer as it is kept in the delivery log: text, whatever the bytes are, without control characters,
 * and without the credentials of the channel when the receiver sends them back. `isWhole` is false for an answer that was not
 * read to its end.
 */
export function excerptOf(answer: Uint8Array, isWhole: boolean, secrets: readonly string[]): string {
  const text = new TextDecoder('utf-8').decode(answer).replaceAll(/[^\P{Cc}\t\r\n]/gu, '\uFFFD')
  const spellings = secrets.flatMap(spellingsOf).sort((a, b) => b.length - a.length)
  const clean = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, redacted), text)
  // A secret that begins where reading ended is not recognized, so what could be its beginning goes.
  const whole = isWhole ? clean : clean.slice(0, Math.max(0, clean.length - (spellings[0]?.length ?? 0)))
  return cutToBytes(whole, excerptBytesMax)
}

/** A secret as it is, without its scheme (`Bearer …`) or prefix, and as JSON, a URL or HTML would spell it. */
function spellingsOf(secret: string): string[] {
  const parts = [secret, secret.replace(/^\S+\s+/, ''), secret.replace(/^whsec_/, '')]
  return [...new Set(parts)]
    .filter((part) => part.length >= secretCharactersMin)
    .flatMap((part) => [
      ...[part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part)],
      ...[part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
    ])
}

/** At the last character that fits. */
function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= bytesMax ? text : new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true })
}
