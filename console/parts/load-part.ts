/** Why a part of the console could not be loaded. */
export class PartFault extends Error {
  override readonly name = 'PartFault'
  /**
   * Whether the server answers, but has no such part any more, as after an upgrade. Only loading the page again helps,
   * also in browsers that remember a part as one that cannot be loaded.
   */
  readonly isMissing: boolean

  constructor(isMissing: boolean, cause: unknown) {
    super('A part of the console could not be loaded.', { cause })
    this.isMissing = isMissing
  }
}

/**
 * Loads a part of the console, in two attempts.
 * @throws PartFault if both fail
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load().catch(load)
  } catch (cause) {
    const page = await fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
    throw new PartFault(page?.ok === true, cause)
  }
}
