/** The storage of the browser. It may be disabled or full, so nothing depends on it. */

type Duration = 'local' | 'session'

function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Accessed only when it is used, because a browser that blocks storage already throws at the name. */
const storageOf = (duration: Duration) => (duration === 'local' ? localStorage : sessionStorage)

/** Returns the text that is stored under a key, or undefined. */
export function keptText(duration: Duration, key: string): string | undefined {
  return attempt(() => storageOf(duration).getItem(key)) ?? undefined
}

/** Stores a text under a key. Without space, the previous text is removed, too. */
export function keepText(duration: Duration, key: string, text: string): void {
  forgetText(duration, key)
  attempt(() => storageOf(duration).setItem(key, text))
}

export function forgetText(duration: Duration, key: string): void {
  attempt(() => storageOf(duration).removeItem(key))
}
