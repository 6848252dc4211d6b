import type { SchemaNode } from '../api/schema-node.ts'
import { seriesFields } from '../endpoints/series/fields.ts'
import type { ChartFigure } from '../server/udf/udf-symbols.ts'

/** Figures that charts may show like symbols: all that are recorded over time. */
export const chartFigures: readonly ChartFigure[] = seriesFields.map(({ name, quantity }) => {
  const { 'x-unit': unit = '', 'x-decimals': decimals = 0 } = quantity as SchemaNode
  return { name, unit, decimals }
})
