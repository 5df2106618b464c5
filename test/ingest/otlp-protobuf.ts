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
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
`).root

type Plain = Record<string, unknown>

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
