import { createGunzip, createInflate } from 'node:zlib'

/** The compressions of bodies and gRPC messages that are accepted, the preferred one first. */
export const compressions = ['gzip', 'deflate'] as const

export type Compression = (typeof compressions)[number]

const chunkSize = 128 * 1024

export function isCompression(name: string): name is Compression {
  return compressions.some((each) => each === name)
}

/** Returns a stream that decompresses. Deflate has the header of zlib (RFC 9110, section 8.4.1.2), also in gRPC. */
export function createDecompression(compression: Compression): ReturnType<typeof createGunzip> {
  return compression === 'gzip' ? createGunzip({ chunkSize }) : createInflate({ chunkSize })
}
