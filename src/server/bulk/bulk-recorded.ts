import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import { apiError } from '../../api/error.ts'
import { bulkForms } from '../../api/rows/forms.ts'
import { quoteTableOf } from '../../api/rows/quote-table.ts'
import { fixedColumns, fixedNames, type Table } from '../../api/rows/table.ts'
import type { AnswerColumn } from '../../api/rows/table-columns.ts'
import { absentRow, type PartShape, shapedTable } from '../../api/rows/table-part.ts'
import { completedSession } from '../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../market/eastern.ts'
import type { FigureColumns, FigureRequest } from '../../market/figure-row.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY } from '../../market/units.ts'
import { firstMomentOf, noDataReason } from '../../replay/replay-moment.ts'
import { type BulkGroup, momentText } from './bulk-groups.ts'
import type { BulkRange } from './bulk-moments.ts'
import type { BulkBody } from './bulk-request.ts'
import { steps } from './bulk-shapes.ts'
import { type BulkHosts, type BulkQuestion, type BulkSource, openedSymbol, unknownName } from './bulk-source.ts'

/** Seconds until figures that are being made may be there. */
const RETRY_AFTER = 5

/** What every source of recorded rows is: of past moments, with one table, on any plan that has bulk and the past. */
const recorded = { plan: 'growth', rowNames: [] } as const

/** Fields of a request that only answers have. */
const ofAnswers = {
  operation: 'invalid_operation',
  params: 'invalid_params',
  rows: 'invalid_rows',
  parents: 'invalid_rows'
} as const

function checkBody(body: BulkBody): void {
  for (const [field, code] of Object.entries(ofAnswers)) {
    const value = body[field as keyof typeof ofAnswers]
    if (value === undefined || value === null || value === false) continue
    throw apiError(code, `source ${body.source} has no ${field}`, { parameter: field })
  }
  if (body.moments !== 'now') return
  const message = `source ${body.source} is of recorded moments: name moments.at, or moments.from, to and every`
  throw apiError('invalid_moments', message, { parameter: 'moments' })
}

function checkFields({ fields }: PartShape, { columns }: Table): void {
  const names = columns.map(({ name }) => name)
  const wrong = fields?.find((field) => !names.includes(field))
  if (wrong !== undefined) throw unknownName('invalid_fields', 'fields', wrong, names)
}

/** Checks the symbol of a group, and the moment if it is about one. Throws if nothing can be there, whatever was recorded. */
function opened(group: BulkGroup, { account }: Pick<BulkQuestion, 'account'>, hosts: BulkHosts) {
  const symbol = openedSymbol(group.symbol, account, hosts)
  const reason = group.stretch === undefined ? noDataReason(group.at!, hosts.archive.period()) : undefined
  if (reason !== undefined) throw apiError('no_data', reason)
  return { symbol, deadline: deadlineIn(hosts.requestDeadline, hosts.steadyNow) }
}

/** Recorded quotes: a row for each contract of a snapshot. Throws for a request that cannot ask for them. */
export function quoteSource(body: BulkBody): BulkSource {
  checkBody(body)
  return {
    ...recorded,
    inStretches: false,
    table(shape) {
      checkFields(shape, quoteTableOf({}))
      return quoteTableOf(shape)
    },
    check: () => {},
    part(asked, group, hosts) {
      const { symbol, deadline } = opened(group, asked, hosts)
      const { fields, missing } = asked.request.shape
      const made = async () => {
        const snapshot = await hosts.archive.snapshot(symbol, group.at!)
        if (snapshot === undefined) throw apiError('no_data', `nothing of ${symbol} was recorded by then`)
        const part = { fields, missing, format: asked.format, symbol: group.symbol, at: momentText(group) }
        return await hosts.engine.run('writeQuotes', { ...part, snapshot }, deadline)
      }
      return byDeadline(made(), deadline, hosts.after)
    }
  }
}

/** Figures over time, as /v1/series has them: a row for each recorded step. Throws for a request that cannot ask for them. */
export function seriesSource(body: BulkBody, { seriesColumns }: Pick<BulkHosts, 'seriesColumns'>): BulkSource {
  checkBody(body)
  const columnsOf = ({ fields }: PartShape) =>
    fields === undefined
      ? seriesColumns
      : fields.flatMap((name) => seriesColumns.find((each) => each.name === name) ?? [])
  return {
    ...recorded,
    inStretches: true,
    table(shape) {
      checkFields(shape, seriesTable(seriesColumns))
      return shapedTable(seriesTable(columnsOf(shape)), { missing: shape.missing })
    },
    check: () => {},
    async part(asked, group, hosts) {
      const { symbol, deadline } = opened(group, asked, hosts)
      const { shape, moments, table } = asked.request
      const { now } = hosts.archive.period()
      const request: FigureRequest = {
        symbol,
        fields: columnsOf(shape).map(({ name }) => name),
        ...stretchOf(group, moments as BulkRange),
        until: now,
        closed: completedSession(now).date
      }
      const found = await byDeadline(hosts.archive.figures(request), deadline, hosts.after)
      if (found.t.length === 0) throw noFigures(found)
      const at = group.stretch === undefined ? group.at : undefined
      const rows = rowsOf({ found, at }, table, group.symbol)
      const waiting = shape.missing === 'row' ? waitingRows(found, table, group.symbol) : []
      const all = waiting.length === 0 ? rows : [...rows, ...waiting].sort(byMoment)
      return bulkForms.find(({ name }) => name === asked.format)!.part(table.columns, all)
    }
  }
}

/** The last row at or before a moment on its day, or those of each step of a stretch. */
function stretchOf({ at, stretch }: BulkGroup, { every }: BulkRange): Pick<FigureRequest, 'from' | 'to' | 'every'> {
  if (stretch !== undefined) return { from: at!, to: stretch.to, every: steps[every] }
  return { from: instantOfEastern(easternDate(at!), 0), to: at!, every: MILLISECONDS_PER_DAY }
}

function noFigures({ waiting }: FigureColumns) {
  if (waiting.length === 0) return apiError('no_data', 'nothing was recorded in this time')
  return apiError('data_loading', 'the figures of this time are being made: try again shortly', {}, RETRY_AFTER)
}

/** Figures of a stretch, or of the moment `at` that was asked for. */
interface Found {
  readonly found: FigureColumns
  readonly at: Instant | undefined
}

const seriesTable = (columns: readonly AnswerColumn[]): Table => ({
  columns: [...fixedNames.map((name) => fixedColumns[name]), ...columns],
  read: (answer, { symbol }) => {
    const { found, at } = answer as Found
    return Array.from(found.t, (asOf, k) => [
      symbol,
      isoInstant(at ?? firstMomentOf(asOf)),
      isoInstant(asOf),
      ...found.columns.map((column) => (Number.isNaN(column[k]) ? null : column[k]))
    ])
  }
})

const rowsOf = (found: Found, { read }: Table, symbol: string) => read(found, { symbol, at: null, as_of: null })

/** A row that says data_loading for each time whose figures are being made, or lack prints. */
function waitingRows({ waiting }: FigureColumns, table: Table, symbol: string): unknown[][] {
  return waiting.map(({ from }) => absentRow(table, { symbol, at: isoInstant(firstMomentOf(from)) }, 'data_loading'))
}

const AT = fixedNames.indexOf('at')
const byMoment = (one: readonly unknown[], other: readonly unknown[]) => {
  const [a, b] = [String(one[AT]), String(other[AT])]
  return a < b ? -1 : a > b ? 1 : 0
}
