import type { Form } from '../../api/endpoint.ts'
import { easternDateTime } from '../../market/eastern.ts'
import type { SeriesColumns } from './columns.ts'

/** CSV with a heading and one line per moment; missing figures are empty, decimals use a point. Source: RFC 4180. */
export const csvForm: Form = {
  type: 'text/csv',
  write: ({ t, columns }: SeriesColumns, zone) => {
    const figures = Object.values(columns)
    const heading = ['t', ...Object.keys(columns)].join()
    const rows = t.map((at, k) => {
      const moment = zone === 'et' ? easternDateTime(Date.parse(at)) : at
      return [moment, ...figures.map((column) => column[k] ?? '')].join()
    })
    return new TextEncoder().encode(`${[heading, ...rows].join('\n')}\n`)
  }
}
