/** Says that a part of the console could not be loaded, and why. */
export class PartFault extends Error {
  override readonly name = 'PartFault'
  /**
   * Whether the server responds but no longer has the part, for example after an upgrade. Only a reload of the page
   * helps then, also in browsers that cache failed imports.
   */
  readonly isMissing: boolean

  constructor(isMissing: boolean, cause: unknown) {
    super('A part of the console could not be loaded.', { cause })
    this.isMissing = isMissing
  }
}

/**
 * Loads a part of the console, in two attempts. The second one begins once the server has responded. Otherwise a part
 * might count as missing because the network recovered just after both attempts had failed.
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
