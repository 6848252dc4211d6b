import type { Form } from '../../api/endpoint.ts'
import { tableForms, writtenTable } from '../../api/rows/forms.ts'
import type { AnswerColumn } from '../../api/rows/table-columns.ts'
import type { ScreenResult } from '../../screener/screen.ts'

/** An answer of the screener, with the columns that were selected. */
export interface PrintedScreen {
  readonly columns: ScreenResult['columns']
  readonly data: ScreenResult['rows']
}

/** The rows of a screen as a table. Its columns are those of the request, so no declaration can list them. */
export const screenForms: readonly Form[] = tableForms.map((form) => ({
  type: form.type,
  write: ({ columns, data }: PrintedScreen) => {
    const described = columns.map(
      (column): AnswerColumn => ({
        ...column,
        nullable: true,
        unit: undefined,
        description: undefined,
        words: undefined
      })
    )
    const rows = data.map((row) => columns.map(({ name }) => row[name]))
    return writtenTable(form, described, rows)
  }
}))
