import type { Form } from '../../api/endpoint.ts'
import { ARROW_STREAM, arrowBatch, arrowEnd, arrowHead } from '../../formats/arrow/arrow-stream.ts'
import { type ArrowColumn, joined } from '../../formats/arrow/buffers.ts'
import type { SeriesColumns } from './columns.ts'

/** Writes columns as an Apache Arrow stream with one batch: `t` is a timestamp, every figure a nullable double. */
export const arrowForm: Form = {
  type: ARROW_STREAM,
  write: ({ t, columns }: SeriesColumns) => {
    const figures = Object.keys(columns).map((name): ArrowColumn => ({ name, type: 'number', nullable: true }))
    const described: readonly ArrowColumn[] = [{ name: 't', type: 'timestamp', nullable: false }, ...figures]
    return joined([arrowHead(described), arrowBatch(described, [t, ...Object.values(columns)], t.length), arrowEnd])
  }
}
