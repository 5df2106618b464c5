/** Health checks over gRPC, which load balancers and Kubernetes send: grpc/health/v1/health.proto. */

import { MemoryShares } from '../../admission/memory-shares.ts'
import type { ReceiveLimits } from '../../config/config.ts'
import type { Readiness } from '../../observability/health.ts'
import { problem } from '../../problem/problem.ts'
import { type ExportBody, readBody } from '../endpoint/request-body.ts'
import { wireTypes } from '../proto/message-table.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'

/** The only method. `Watch` is a stream of responses, which clients do without where it is UNIMPLEMENTED. */
export const healthCheckPath = '/grpc.health.v1.Health/Check'

export interface HealthCheckOptions {
  readonly readiness: Readiness
  /** The services that may be checked. All have the status of the server, whose name is empty. */
  readonly services: readonly string[]
  readonly limits: ReceiveLimits
}

const bodyBytesMax = 4_096
/** `service`, field 1 of HealthCheckRequest. */
const serviceTag = (1 << 3) | wireTypes.bytes
/** `status`, field 1 of HealthCheckResponse: SERVING or NOT_SERVING. */
const [serving, notServing] = [Buffer.from([1 << 3, 1]), Buffer.from([1 << 3, 2])]

/**
 * Returns the HealthCheckResponse to a request, which is SERVING while `/readyz` returns 200.
 * @throws {Problem} `not_found` for an unknown service, as the protocol demands
 */
export async function checkHealth(
  body: ExportBody,
  { readiness, services, limits }: HealthCheckOptions,
): Promise<Uint8Array> {
  const memory = new MemoryShares(bodyBytesMax).open('')
  const pieces = await readBody(body, { bytesMax: bodyBytesMax, memory, receive: limits })
  const service = serviceOf(Buffer.concat(pieces))
  if (service !== '' && !services.includes(service))
    throw problem('not_found', `There is no such service. Check ${services.join(', ')} or the whole server (no name).`)
  return (await readiness.report()).status === 'ready' ? serving : notServing
}

function serviceOf(request: Buffer): string {
  const reader = new ProtobufReader(request)
  const end = request.length
  let service = ''
  while (reader.position < end) {
    const tag = reader.tag(end)
    if (tag === serviceTag) {
      const fieldEnd = reader.endOfBytes(end)
      service = request.toString('utf8', reader.position, fieldEnd)
      reader.position = fieldEnd
    } else reader.skip(tag, end)
  }
  return service
}
