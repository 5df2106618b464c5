/** What this browser keeps for the console. It may refuse to keep anything, or have no space: nothing depends on it. */

type Duration = 'local' | 'session'

function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Named when it is used, because a browser that refuses throws at the name already. */
const storageOf = (duration: Duration) => (duration === 'local' ? localStorage : sessionStorage)

/** Returns the text that is kept under a key, or undefined. */
export function keptText(duration: Duration, key: string): string | undefined {
  return attempt(() => storageOf(duration).getItem(key)) ?? undefined
}

/** Keeps a text under a key in place of the one before. Without space it keeps neither. */
export function keepText(duration: Duration, key: string, text: string): void {
  forgetText(duration, key)
  attempt(() => storageOf(duration).setItem(key, text))
}

export function forgetText(duration: Duration, key: string): void {
  attempt(() => storageOf(duration).removeItem(key))
}
