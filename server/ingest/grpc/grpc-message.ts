import type { ServerHttp2Stream } from 'node:http2'
import { problem } from '../../problem/problem.ts'
import type { Compression } from '../endpoint/body-compression.ts'
import { type ExportBody, SenderGone } from '../endpoint/request-body.ts'
import { MalformedBody } from '../wire/body-errors.ts'

/** Bytes before a message: whether it is compressed, and its length in four bytes. */
const prefixBytes = 5

export interface MessageOptions {
  /** The compression of compressed messages: the metadata `grpc-encoding`. */
  readonly compression: Compression | undefined
  /** The time limit for the prefix. */
  readonly secondsMax: number
}

/**
 * Reads the prefix of the only message of a request, and returns the message, which is still to be read. Whatever
 * follows it is a fault of its length.
 *
 * @throws {MalformedBody} for a request without a message, and for a compression that was not announced
 * @throws {Problem} 408 when the prefix does not arrive in time
 * @throws {SenderGone} when the sender ends the stream early
 */
export function openMessage(
  stream: ServerHttp2Stream,
  { compression, secondsMax }: MessageOptions,
): Promise<ExportBody> {
  let ended = false
  stream.once('end', () => {
    ended = true
  })
  return new Promise((resolve, reject) => {
    // A stream without data ends while the caller is authorized.
    if (stream.readableEnded) return reject(withoutMessage())
    if (stream.destroyed || stream.closed) return reject(new SenderGone())
    const stopReading = () => {
      clearTimeout(timer)
      stream.off('readable', onReadable).off('end', onEnd).off('close', onClose)
    }
    const fail = (error: Error) => {
      stopReading()
      reject(error)
    }
    const onEnd = () => fail(withoutMessage())
    const onClose = () => fail(new SenderGone())
    const onReadable = () => {
      const prefix: Buffer | null = stream.read(prefixBytes)
      if (prefix === null) return
      stopReading()
      const flag = prefix[0]
      if (prefix.length < prefixBytes || flag === undefined || flag > 1)
        reject(new MalformedBody('The request does not begin with the prefix of a gRPC message.'))
      else if (flag === 1 && compression === undefined)
        reject(new MalformedBody('The message is compressed, but grpc-encoding does not say how.'))
      else {
        const announcedBytes = prefix.readUInt32BE(1)
        const applied = flag === 1 ? compression : undefined
        resolve({ stream, compression: applied, announcedBytes, isComplete: () => ended })
      }
    }
    const timer = setTimeout(() => {
      fail(problem('request_timeout', `The message did not begin within ${secondsMax} seconds.`))
    }, secondsMax * 1_000)
    stream.on('readable', onReadable).once('end', onEnd).once('close', onClose)
  })
}

function withoutMessage(): MalformedBody {
  return new MalformedBody('The request has no message.')
}

/** Returns a message with its prefix, uncompressed. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}
