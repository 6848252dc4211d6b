import { nearest } from '../../api/nearest.ts'
import type { CatalogRow, Update } from '../../api/stream-frames.ts'
import { listenForStop, type SignalSource } from '../../app/stop-signal.ts'
import type { Client } from '../../client/client.ts'
import type { Stream, StreamEvent } from '../../client/stream.ts'
import { StreamError } from '../../client/stream-error.ts'
import type { Terminal } from '../terminal.ts'
import { liveLines } from './live-lines.ts'
import { changeLine, type WatchedRow, type WatchedState, watchLines } from './watch-table.ts'

export interface WatchRequest {
  readonly symbol: string
  readonly metrics: readonly string[]
  /** Milliseconds between two updates of a metric. */
  readonly cadence: number
  readonly address: string
}

/** Milliseconds between redraws while no updates arrive: the table shows ages, which grow. */
const REDRAW_INTERVAL = 1000
/** After an update, the table waits this many milliseconds for others before it is redrawn. */
const REDRAW_DELAY = 50

/** How the command shows values: as a table rewritten on a terminal, or as one line per change. */
interface View {
  readonly changed: () => void
  readonly update: (row: WatchedRow, update: Update) => void
  readonly warn: (sentence: string) => void
  readonly leave: () => void
}

/**
 * Shows metrics of a symbol until a stop signal arrives or the reader closes the output. On a terminal it shows a live
 * table, otherwise one line per change. Throws if the stream ends with an error or the server refuses every metric.
 */
export async function watchSession(
  client: Pick<Client, 'stream'>,
  request: WatchRequest,
  terminal: Terminal,
  signals: SignalSource
): Promise<void> {
  const { symbol, metrics, address, cadence } = request
  const rows = metrics.map((metric): WatchedRow => {
    return { metric, unit: null, first: undefined, latest: undefined, problem: undefined }
  })
  const state: WatchedState = { symbol, address, rows, connection: 'connecting' }
  const view = viewOf(state, terminal)
  const stop = listenForStop(signals)
  const stream = client.stream({ onEvent: (event) => handleEvent(event, state, view) })
  const acknowledged = rows.map((row) => {
    const item = { symbol, metric: row.metric, cadence_ms: cadence }
    const { ready } = stream.subscribe(item, (update) => applyUpdate(row, update, view))
    return ready.then(
      ({ metric }) => setUnit(row, metric, stream, view),
      (error: unknown) => refuse(row, error, stream, view)
    )
  })
  const allRefused = Promise.all(acknowledged).then(() => {
    if (rows.some(({ problem }) => problem === undefined)) return new Promise<never>(() => {})
    return new StreamError('refused', 'none of these can be watched')
  })
  try {
    view.changed()
    const reason = await Promise.race([
      stop.requested,
      stream.ended,
      allRefused,
      ...(terminal.left ? [terminal.left] : [])
    ])
    if (reason instanceof Error) throw reason
  } finally {
    stop.dispose()
    stream.close()
    view.leave()
  }
}

function viewOf(state: WatchedState, { screen, out, err }: Terminal): View {
  if (screen === undefined) {
    const update = (row: WatchedRow, update: Update) => out(changeLine(state.symbol, row.metric, update))
    return { changed: () => {}, update, warn: err, leave: () => {} }
  }
  const lines = liveLines(screen)
  let redraw: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    redraw = undefined
    lines.show(watchLines(state, Date.now(), screen))
  }
  const changed = () => {
    redraw ??= setTimeout(draw, REDRAW_DELAY)
  }
  const tick = setInterval(changed, REDRAW_INTERVAL)
  const leave = () => {
    clearInterval(tick)
    clearTimeout(redraw)
    draw()
    lines.leave()
  }
  return { changed, update: changed, warn: changed, leave }
}

function applyUpdate(row: WatchedRow, update: Update, view: View): void {
  const hasChanged = row.latest === undefined || JSON.stringify(update.value) !== JSON.stringify(row.latest.value)
  row.first ??= update
  row.latest = update
  if (hasChanged) view.update(row, update)
  view.changed()
}

/** Looks up in the catalog the units of a row's value and of its parts; `metric` is the metric's id in the catalog. */
async function setUnit(row: WatchedRow, metric: string, stream: Stream, view: View): Promise<void> {
  const found = await stream.ask({ action: 'catalog', prefix: metric.replace(/\[.*/, '') }).catch(() => undefined)
  row.unit = found === undefined ? null : unitOf(metric, found.metrics)
  const id = idOf(metric)
  const below = found?.metrics.filter((one) => one.id.startsWith(id)) ?? []
  row.units = new Map(below.map((one) => [one.id.slice(id.length), one.unit]))
  view.changed()
}

async function refuse(row: WatchedRow, error: unknown, stream: Stream, view: View): Promise<void> {
  if (!(error instanceof StreamError) || error.code === 'closed') return // the stream itself reports its end
  const suggestions = await suggestionsFor(row.metric, error, stream)
  row.problem = `${error.message}${suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(', ')}`}`
  view.warn(`${row.metric}: ${row.problem}`)
}

/** Suggests other metrics for a refused one: those that the server suggests, otherwise metrics with similar ids. */
async function suggestionsFor(
  metric: string,
  { code, detail }: StreamError,
  stream: Stream
): Promise<readonly string[]> {
  const { candidates } = detail
  if (Array.isArray(candidates)) return candidates
  if (code !== 'unknown_metric') return []
  const prefix = metric.split('.', 2).join('.')
  const found = await stream.ask({ action: 'catalog', prefix }).catch(() => undefined)
  const names = found?.metrics.flatMap(({ id, short_forms }) => [id, ...short_forms]) ?? []
  return nearest(metric, names)
}

function unitOf(metric: string, catalog: readonly CatalogRow[]): string | null {
  const id = idOf(metric)
  return catalog.find((row) => row.id === id)?.unit ?? null
}

/** Id of a metric in the catalog: every selector is replaced by [*]. */
function idOf(metric: string): string {
  return metric.replace(/\[[^\]]*\]/g, '[*]')
}

function handleEvent(event: StreamEvent, state: WatchedState, view: View): void {
  if (event.type === 'open') state.connection = 'connected'
  if (event.type === 'lost') {
    state.connection = `${event.reason}; next attempt in ${(event.retryIn / 1000).toFixed(1)} s`
    view.warn(state.connection)
  }
  if (event.type === 'problem') view.warn(`${event.problem.code}: ${event.problem.message}`)
  if (event.type === 'notice') view.warn(`${event.notice.code}: ${event.notice.message}`)
  view.changed()
}
