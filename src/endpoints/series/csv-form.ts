import type { Form } from '../../api/endpoint.ts'
import { csvLine } from '../../formats/written-csv.ts'
import { easternDateTime } from '../../market/eastern.ts'
import type { SeriesColumns } from './columns.ts'

/** CSV with a heading and one line per moment; missing figures are empty, decimals use a point. Source: RFC 4180. */
export const csvForm: Form = {
  type: 'text/csv',
  write: ({ t, columns }: SeriesColumns, zone) => {
    const figures = Object.values(columns)
    const heading = csvLine(['t', ...Object.keys(columns)])
    const rows = t.map((at, k) => {
      const moment = zone === 'et' ? easternDateTime(Date.parse(at)) : at
      return csvLine([moment, ...figures.map((column) => column[k])])
    })
    return new TextEncoder().encode(`${[heading, ...rows].join('\n')}\n`)
  }
}
