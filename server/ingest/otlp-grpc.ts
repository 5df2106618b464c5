import { createGrpcEndpoint, type GrpcEndpoint, type GrpcEndpointOptions } from './grpc/grpc-endpoint.ts'
import { signals } from './otlp-router.ts'

/** Serves OTLP/gRPC requests: the service of each signal. */
export function createOtlpGrpc(options: Omit<GrpcEndpointOptions, 'signals'>): GrpcEndpoint {
  return createGrpcEndpoint({ ...options, signals })
}
