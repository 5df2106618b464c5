/** Why a part of the console could not be loaded. */
export class PartFault extends Error {
  override readonly name = 'PartFault'
  /**
   * Whether the server answers, but no longer has such a part, as after an upgrade. Only loading the page again helps,
   * also in browsers that remember a part as one that cannot be loaded.
   */
  readonly isMissing: boolean

  constructor(isMissing: boolean, cause: unknown) {
    super('A part of the console could not be loaded.', { cause })
    this.isMissing = isMissing
  }
}

/**
 * Loads a part of the console, in two attempts. The second begins once the server has answered, so that a part is not
 * taken for missing because the network came back between the attempts and the question whether the server answers.
 * @throws PartFault if both fail
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    const page = await fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
    if (page?.ok !== true) throw new PartFault(false, cause)
    return load().catch((again: unknown) => {
      throw new PartFault(true, again)
    })
  }
}
