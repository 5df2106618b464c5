import { makeSpan, type SpanModel } from './span-model.ts'

/** Reads lines of TraceID,SpanID,ParentID,PodName,OperationName,StartTimeUnixNano,EndTimeUnixNano,Duration. */
export function loadOnlineBoutique(csv: string, org: string): SpanModel[] {
  const lines = csv.split('\n').slice(1)
  return lines.filter((line) => line !== '').map((line) => toSpan(line, org))
}

function toSpan(line: string, org: string): SpanModel {
  const [traceId = '', spanId = '', parent = '', pod = '', name = '', start = '0', end = '0'] = line.split(',')
  return makeSpan({
    org,
    traceId,
    spanId,
    parentId: parent === 'root' ? '' : parent,
    service: pod.split('-').slice(0, -2).join('-'),
    name,
    startNs: BigInt(start),
    durationNs: BigInt(end) - BigInt(start),
  })
}
