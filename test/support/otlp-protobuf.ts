/** Encodes OTLP messages with protobufjs, which is independent of the code under test. */
import protobuf from 'protobufjs'
import { otlpRoot } from '../../scripts/otlp-messages.ts'

const root = otlpRoot()
const otlp = 'opentelemetry.proto.'

const rpc = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message FieldViolation { string field = 1; string description = 2; }
  message BadRequest { repeated FieldViolation field_violations = 1; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
  message RetryInfo { Duration retry_delay = 1; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
`).root

export type Plain = Record<string, unknown>

/** Encodes a message, named without `opentelemetry.proto.`. Ids are Buffers, 64-bit integers are decimal strings. */
export function encode(message: string, plain: Plain): Buffer {
  const type = root.lookupType(otlp + message)
  return Buffer.from(type.encode(type.fromObject(plain)).finish())
}

export function encodeTraces(plain: Plain): Buffer {
  return encode('collector.trace.v1.ExportTraceServiceRequest', plain)
}

function decode(type: protobuf.Type, bytes: Uint8Array): Plain {
  return type.toObject(type.decode(bytes), { longs: String, bytes: Buffer })
}

export function decodeTracesResponse(bytes: Uint8Array): Plain {
  return decode(root.lookupType(`${otlp}collector.trace.v1.ExportTraceServiceResponse`), bytes)
}

export function decodeStatus(bytes: Uint8Array): Plain {
  return decode(rpc.lookupType('Status'), bytes)
}

export function decodeBadRequest(bytes: Uint8Array): Plain {
  return decode(rpc.lookupType('BadRequest'), bytes)
}

/** Returns the details of a Status by the name of their type, such as `RetryInfo`. */
export function decodeStatusDetails(bytes: Uint8Array): Plain {
  const { details = [] } = decodeStatus(bytes) as { details?: { typeUrl: string; value: Buffer }[] }
  return Object.fromEntries(
    details.map(({ typeUrl, value }) => {
      const name = typeUrl.replace('type.googleapis.com/google.rpc.', '')
      return [name, decode(rpc.lookupType(name), value)]
    }),
  )
}

const services = {
  traces: 'trace.v1.ExportTrace',
  metrics: 'metrics.v1.ExportMetrics',
  logs: 'logs.v1.ExportLogs',
} as const

/** Encodes the export request of a signal, given in the form of `encode`. */
export function encodeExport(signal: keyof typeof services, plain: Plain): Buffer {
  return encode(`collector.${services[signal]}ServiceRequest`, plain)
}

export function decodeExportResponse(signal: keyof typeof services, bytes: Uint8Array): Plain {
  return decode(root.lookupType(`${otlp}collector.${services[signal]}ServiceResponse`), bytes)
}

/** Converts an OTLP/JSON request to the input of `encodeTraces`: decodes hexadecimal ids and base64 bytes. */
export function fromOtlpJson(json: unknown): Plain {
  return replaceBytes(json) as Plain
}

const idKeys = new Set(['traceId', 'spanId', 'parentSpanId'])

function replaceBytes(node: unknown, key = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => replaceBytes(item))
  if (typeof node === 'string' && idKeys.has(key)) return Buffer.from(node, 'hex')
  if (typeof node === 'string' && key === 'bytesValue') return Buffer.from(node, 'base64')
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, replaceBytes(value, name)]))
}
