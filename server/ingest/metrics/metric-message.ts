import type { MetricKind } from '#sql'
import { AttributeList } from '../records/attribute-list.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { RangeList } from '../wire/range-list.ts'

const tags = { name: 10, description: 18, unit: 26, metadata: 98 } as const

const kindsByTag: ReadonlyMap<number, MetricKind> = new Map([
  [42, 'gauge'],
  [58, 'sum'],
  [74, 'histogram'],
  [82, 'exponential_histogram'],
  [90, 'summary'],
])

/** The same numbers in the data of every kind that has them: gauges and summaries have points alone, and only sums are monotonic. */
const dataTags = { points: 10, temporality: 16, monotonic: 24 } as const
const temporalityMax = 2

export const kindsWithTemporality: ReadonlySet<MetricKind> = new Set(['sum', 'histogram', 'exponential_histogram'])

/** One `Metric` of a body as it came, but for its points, which are ranges. One is filled again and again. */
export class MetricReader {
  nameStart = 0
  nameEnd = 0
  descriptionStart = 0
  descriptionEnd = 0
  unitStart = 0
  unitEnd = 0
  /** Undefined when the metric has no data, or data of a kind that OTLP does not have. */
  kind: MetricKind | undefined
  /** 0: none, or one that OTLP does not have. */
  temporality = 0
  monotonic = false
  readonly metadata = new AttributeList()
  readonly points = new RangeList()

  /** Reads the message that ends at `end`. */
  read(reader: ProtobufReader, end: number): void {
    this.clear()
    while (reader.position < end) {
      const tag = reader.tag(end)
      const kind = kindsByTag.get(tag)
      if (kind !== undefined) this.readData(reader, kind, reader.endOfBytes(end))
      else if (tag === tags.metadata) this.metadata.read(reader, end)
      else if (tag === tags.name || tag === tags.description || tag === tags.unit) this.readText(reader, tag, end)
      else reader.skip(tag, end)
    }
  }

  private clear(): void {
    this.nameStart = this.nameEnd = this.descriptionStart = this.descriptionEnd = this.unitStart = this.unitEnd = 0
    this.metadata.clear()
    this.clearData(undefined)
  }

  private clearData(kind: MetricKind | undefined): void {
    this.kind = kind
    this.temporality = 0
    this.monotonic = false
    this.points.clear()
  }

  private readText(reader: ProtobufReader, tag: number, end: number): void {
    const fieldEnd = reader.endOfBytes(end)
    const { position } = reader
    if (tag === tags.name) [this.nameStart, this.nameEnd] = [position, fieldEnd]
    else if (tag === tags.description) [this.descriptionStart, this.descriptionEnd] = [position, fieldEnd]
    else [this.unitStart, this.unitEnd] = [position, fieldEnd]
    reader.position = fieldEnd
  }

  /** As in every oneof, data of another kind replaces what came before, and of the same kind is merged with it. */
  private readData(reader: ProtobufReader, kind: MetricKind, end: number): void {
    if (this.kind !== kind) this.clearData(kind)
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === dataTags.points) {
        const pointEnd = reader.endOfBytes(end)
        this.points.add(reader.position, pointEnd)
        reader.position = pointEnd
      } else if (tag === dataTags.temporality && kindsWithTemporality.has(kind)) {
        const temporality = reader.varint(end)
        this.temporality = temporality <= temporalityMax ? temporality : 0
      } else if (tag === dataTags.monotonic && kind === 'sum') this.monotonic = reader.varint(end) !== 0
      else reader.skip(tag, end)
    }
  }
}
