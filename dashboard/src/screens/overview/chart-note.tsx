import { Empty, type Way } from '../../parts/empty.tsx'
import { useFocus } from '../../parts/focus-context.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { access, type Chart } from '../../state/chart/chart-state.ts'
import { making } from '../../state/chart/making.ts'
import { shortDate } from '../../state/day/time.ts'
import type { Place } from '../../state/page/place.ts'

interface Props {
  readonly chart: Chart
  readonly place: Place
  /** Changes what the chart shows. */
  readonly change: (change: Partial<Place>) => void
}

const IMPORT: Way = ['Import its past', '/docs/import']

/** Why the chart, or a part of it, is empty, and a way on. */
export function ChartNote({ chart: { bars, history, levelsSince, step }, place: { symbol, every }, change }: Props) {
  const { unknownSymbol, session } = useFocus().day
  const trouble = bars.trouble.value
  const known = history.value
  if (trouble !== undefined && (known === undefined || known.bars.t.length === 0)) {
    const isNew = trouble.status === 404 && unknownSymbol.value === undefined
    return (
      <Empty kind="note-in" code={isNew ? 'no_data' : trouble.code} method="bars">
        {isNew ? `Nothing has been recorded for ${symbol} yet: its day appears from now on.` : sentenceOf(trouble)}
      </Empty>
    )
  }
  if (known === undefined)
    return bars.isAsking.value || session.isAsking.value ? (
      <p class="note-in" role="status">
        Loading the prices of {symbol}.
      </p>
    ) : null
  if (known.bars.t.length === 0)
    return (
      <p class="note-in">
        No prices of {symbol} are kept for this period.{' '}
        <button
          type="button"
          class="link"
          onClick={() => change({ period: 'all', every: undefined, from: undefined, to: undefined })}
        >
          Show all days
        </button>
      </p>
    )
  if (every !== undefined && every !== '1d' && known.bars.t.length < 3 && step.value !== '1d')
    return (
      <p class="note-in">
        Few bars of {every} are kept.{' '}
        <button type="button" class="link" onClick={() => change({ every: undefined })}>
          Show days
        </button>
      </p>
    )
  if (making.value !== undefined)
    return (
      <p class="note-in" role="status">
        {makingWords(making.value)} What is drawn is whole.
      </p>
    )
  if (access.value !== 'figures')
    return (
      <Empty kind="note-in" code="tier_restricted">
        Levels through time need a higher plan; those of now stand at the right.
      </Empty>
    )
  if (known.recordedSince === undefined)
    return (
      <Empty kind="note-in" way={IMPORT}>
        Levels of {symbol} are recorded from now on: the past shows its price alone.
      </Empty>
    )
  const since = levelsSince.value
  if (since === undefined) return null
  return (
    <Empty kind="note-in" way={IMPORT}>
      Levels recorded since {since.length > 5 ? shortDate(since) : since}.
    </Empty>
  )
}

/** Why there is no map behind the price. */
export function MissingMap({ chart, isWanted }: { readonly chart: Chart; readonly isWanted: boolean }) {
  const trouble = isWanted && chart.history.value !== undefined ? chart.mapTrouble.value : undefined
  return trouble === undefined ? null : (
    <Empty kind="note-in" code={trouble.code} method="exposure-matrix">
      No map. {sentenceOf(trouble)}
    </Empty>
  )
}

/** How far the past of a synthetic market is made. */
function makingWords({ what, made, total }: { readonly what: string; readonly made: number; readonly total: number }) {
  if (total === 0) return 'The past of this synthetic market is being made.'
  const [symbol, date] = what.split(' ')
  const now = date === undefined ? '' : `, now ${symbol} of ${shortDate(date)}`
  return `The past of this synthetic market is being made: ${made} of ${total} snapshots${now}.`
}
