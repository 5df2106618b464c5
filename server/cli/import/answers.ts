import { MalformedBody } from '../../ingest/wire/body-errors.ts'
import { ProtobufReader, wireTypes } from '../../ingest/wire/protobuf-reader.ts'
import { messagesOf } from './protobuf-fields.ts'

export interface PartialSuccess {
  readonly rejected: number
  readonly message: string
}

const messageLengthMax = 300

/** Of an ExportTraceServiceResponse. An answer that cannot be read comes from something that is no OTLP receiver. */
export function readPartialSuccess(content: Buffer, isJson: boolean): PartialSuccess {
  if (content.length === 0) return { rejected: 0, message: '' }
  if (isJson) return readJsonPartialSuccess(content)
  const [partial] = messagesOf(content, 1)
  const reader = new ProtobufReader(partial ?? Buffer.alloc(0))
  let rejected = 0
  while (reader.position < reader.bytes.length) {
    const tag = reader.tag(reader.bytes.length)
    if (tag === ((1 << 3) | wireTypes.varint)) rejected = reader.varint(reader.bytes.length)
    else reader.skip(tag, reader.bytes.length)
  }
  return { rejected, message: textField(reader.bytes, 2) }
}

function readJsonPartialSuccess(content: Buffer): PartialSuccess {
  const { partialSuccess = {} } = JSON.parse(content.toString()) as {
    partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string }
  }
  return { rejected: Number(partialSuccess.rejectedSpans ?? 0), message: partialSuccess.errorMessage ?? '' }
}

/** The message of a google.rpc.Status, of a problem document, or what else an intermediary may answer with. */
export function readStatusMessage(content: Buffer, isJson: boolean): string {
  try {
    if (!isJson) return textField(content, 2) || 'no reason given'
    const { message, detail, title } = JSON.parse(content.toString()) as Record<string, unknown>
    return String(message ?? detail ?? title ?? 'no reason given').slice(0, messageLengthMax)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof MalformedBody)) throw error
    return content.toString().slice(0, messageLengthMax)
  }
}

function textField(message: Buffer, field: number): string {
  const [text] = messagesOf(message, field)
  return text?.toString().slice(0, messageLengthMax) ?? ''
}
