import { nearest } from '../api/nearest.ts'
import type { CatalogRow, Update } from '../api/stream-frames.ts'
import type { Client } from '../client/client.ts'
import type { Stream } from '../client/stream.ts'
import { StreamError } from '../client/stream-error.ts'
import type { StreamEvent } from '../client/stream-event.ts'
import type { Terminal } from './command.ts'
import { listenForStop, type Signals } from './signals.ts'
import { liveLines } from './watch-screen.ts'
import { changeLine, type WatchedRow, type WatchedState, watchLines } from './watch-table.ts'

export interface Wanted {
  readonly symbol: string
  readonly metrics: readonly string[]
  /** Milliseconds. */
  readonly cadence: number
  readonly address: string
}

/** Milliseconds between redraws while nothing arrives, because ages grow. */
const REDRAW_INTERVAL = 1000
/** Milliseconds for which changes are collected before they are drawn. */
const REDRAW_DELAY = 50

/** Shows the state on a terminal, or changes as lines. */
interface View {
  /** The state has changed. */
  readonly changed: () => void
  readonly update: (row: WatchedRow, update: Update) => void
  readonly warn: (sentence: string) => void
  readonly leave: () => void
}

/**
 * Shows metrics of a symbol until a signal arrives or the output is closed: rewritten in place on a terminal, else a line for
 * each change. Throws when the stream ends for a reason, or when every metric was refused.
 */
export async function watchSession(
  client: Pick<Client, 'stream'>,
  wanted: Wanted,
  terminal: Terminal,
  signals: Signals
): Promise<void> {
  const { symbol, metrics, address, cadence } = wanted
  const rows = metrics.map((metric): WatchedRow => {
    return { metric, unit: null, first: undefined, latest: undefined, problem: undefined }
  })
  const state: WatchedState = { symbol, address, rows, connection: 'connecting' }
  const view = viewOf(state, terminal)
  const stop = listenForStop(signals)
  const stream = client.stream({ onEvent: (event) => note(event, state, view) })
  const asked = rows.map((row) => {
    const item = { symbol, metric: row.metric, cadence_ms: cadence }
    const { ready } = stream.subscribe(item, (update) => take(row, update, view))
    return ready.then(
      ({ metric }) => setUnit(row, metric, stream, view),
      (error: unknown) => refuse(row, error, stream, view)
    )
  })
  const refused = Promise.all(asked).then(() => {
    if (rows.some(({ problem }) => problem === undefined)) return new Promise<never>(() => {})
    return new StreamError('refused', 'none of these can be watched')
  })
  try {
    view.changed()
    const reason = await Promise.race([stop.asked, stream.ended, refused, ...(terminal.left ? [terminal.left] : [])])
    if (reason instanceof Error) throw reason
  } finally {
    stop.forget()
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

function take(row: WatchedRow, update: Update, view: View): void {
  const isNews = row.latest === undefined || JSON.stringify(update.value) !== JSON.stringify(row.latest.value)
  row.first ??= update
  row.latest = update
  if (isNews) view.update(row, update)
  view.changed()
}

/** Sets the unit of a row, and those of its parts, from the catalog; `metric` is the canonical id. */
async function setUnit(row: WatchedRow, metric: string, stream: Stream, view: View): Promise<void> {
  const found = await stream.ask({ action: 'catalog', prefix: metric.replace(/\[.*/, '') }).catch(() => undefined)
  row.unit = found === undefined ? null : unitOf(metric, found.metrics)
  const id = idOf(metric)
  const below = found?.metrics.filter((one) => one.id.startsWith(id)) ?? []
  row.units = new Map(below.map((one) => [one.id.slice(id.length), one.unit]))
  view.changed()
}

async function refuse(row: WatchedRow, error: unknown, stream: Stream, view: View): Promise<void> {
  if (!(error instanceof StreamError) || error.code === 'closed') return // the stream itself ended, and says why
  const suggestions = await suggestionsFor(row.metric, error, stream)
  row.problem = `${error.message}${suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(', ')}`}`
  view.warn(`${row.metric}: ${row.problem}`)
}

/** The metrics that a refused id may mean: the candidates of the server, else ids like it. */
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

/** The id as the catalog has it, where a selector is a star. */
function idOf(metric: string): string {
  return metric.replace(/\[[^\]]*\]/g, '[*]')
}

function note(event: StreamEvent, state: WatchedState, view: View): void {
  if (event.type === 'open') state.connection = 'connected'
  if (event.type === 'lost') {
    state.connection = `${event.reason}; next attempt in ${(event.retryIn / 1000).toFixed(1)} s`
    view.warn(state.connection)
  }
  if (event.type === 'problem') view.warn(`${event.problem.code}: ${event.problem.message}`)
  if (event.type === 'notice') view.warn(`${event.notice.code}: ${event.notice.message}`)
  view.changed()
}
