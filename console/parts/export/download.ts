/** Bytes after which the page shows the progress of a download. */
const noticeBytes = 256 * 1024

/**
 * Reads a response completely. Browsers keep large blobs on disk, so an export may be larger than the memory of a page.
 * @throws Error if the connection breaks: a part is never taken for the whole
 */
export async function readBlob(stream: ReadableStream<Uint8Array>, onBytes: (bytes: number) => void): Promise<Blob> {
  const parts: BlobPart[] = []
  const reader = stream.getReader()
  let [bytes, noticed] = [0, 0]
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // Collected as blobs, which the browser may move out of memory.
    parts.push(new Blob([next.value as BlobPart]))
    bytes += next.value.length
    if (bytes - noticed >= noticeBytes) {
      noticed = bytes
      onBytes(bytes)
    }
  }
  return new Blob(parts)
}

/** Offers a blob as a file to save. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the URL after the click has been dispatched.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Formats a number of bytes: `812 kB`, `3.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}
