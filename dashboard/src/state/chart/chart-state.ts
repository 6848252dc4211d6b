import { computed, effect, signal } from '@preact/signals'
import { type Day, page } from '../day/day.ts'
import { newYork } from '../day/time.ts'
import { MOST_COMPARED, type Period, type Step } from '../page/place.ts'
import { isNarrow } from '../page/reader.ts'
import type { Exposures } from '../screens/exposures.ts'
import { page as overview } from '../screens/overview-state.ts'
import { figures } from '../service/figures.ts'
import { PAGE, type Subject } from '../service/question.ts'
import { isSignedIn } from '../service/sign-in.ts'
import { isOfPage, isOfSymbol } from '../service/stamp.ts'
import { carriedOver } from './carried-levels.ts'
import { paneFields } from './fields.ts'
import { type History, historyOf, newestSessions } from './history.ts'
import { hiddenGroups, LEVEL_FIELDS, marksAt } from './level-lines.ts'
import { madeOf } from './making.ts'
import { STEP_LENGTHS, sessionsOfPeriod, startOf, stepOf } from './period.ts'
import { sessionsOf } from './sessions.ts'

/** Data that the plan of a key allows: figures over time, prices alone, or days alone. */
type Access = 'figures' | 'prices' | 'days'
const LESS: Readonly<Record<Access, Access>> = { figures: 'prices', prices: 'days', days: 'days' }
export const access = signal<Access>('figures')

/** So few bars do not fill a chart. */
const FEW = 12

const DAY = 86_400_000

/** How long the time slider must rest before bars are requested again, milliseconds. */
const REST = 250

/** Bars of a day ahead that the cone covers where bars are days. */
const DAYS_AHEAD = 5

/** Time between columns of the map, by the most calendar days it may cover: the service answers 600 columns. */
const MAP_STEPS = [
  [0, '5m'],
  [28, '15m'],
  [62, '30m']
] as const

/** The chart of a subject, over many days. */
export type Chart = ReturnType<typeof chartAt>

/** The chart of a subject. `day`, `exposures`: of the same symbol, moment and expirations. */
export function chartAt(subject: Subject, day: Day, exposures: Exposures) {
  const { place, at } = subject
  const { horizon, hours, moment, spot } = day
  const { levels, rows, today } = exposures
  /** The symbol of which so few bars within days are kept that whole days are drawn. */
  const sparse = signal<string>()
  const isSparse = computed(() => sparse.value === place.value.symbol && place.value.every === undefined)

  /** The period that is drawn. */
  const period = computed(
    (): Period =>
      (isSparse.value || access.value === 'days') && ['1d', '5d', '20d'].includes(place.value.period)
        ? '3m'
        : place.value.period
  )
  /** The length of a bar that is drawn. */
  const step = computed(
    (): Step => (isSparse.value || access.value === 'days' ? '1d' : stepOf(period.value, place.value.every))
  )

  const shownPanes = computed(() => paneFields(place.value.panes).slice(0, isNarrow.value ? 1 : undefined))
  const shownLevels = computed(() => {
    const hidden = hiddenGroups(place.value.levels)
    return LEVEL_FIELDS.filter(({ group }) => !hidden.includes(group))
  })

  /** Figures requested with the bars. */
  const fields = computed(() =>
    access.value === 'figures'
      ? [...new Set([...LEVEL_FIELDS.map(({ field }) => field), 'expected_move_1d', ...shownPanes.value])].join()
      : undefined
  )

  /** Date of the session, known as soon as the session or the levels are. Those of a closed market are of its last session. */
  const date = computed(() => {
    const asOf = levels.answer.value?.as_of
    return day.date.value ?? (asOf === undefined ? undefined : newYork(Date.parse(asOf)).slice(0, 10))
  })

  /** First date to request: that of the period, or an earlier one that the address shows. */
  const start = computed(() => {
    if (date.value === undefined) return undefined
    const usual = startOf(period.value, date.value)
    const { from } = place.value
    if (from === undefined) return usual
    const wanted = new Date(Date.parse(`${from.slice(0, 10)}T12:00Z`) - DAY).toISOString().slice(0, 10)
    const earliest = startOf(stepOf('3m', step.value) === step.value ? '3m' : '20d', date.value)
    const bounded = step.value === '1d' || wanted > earliest ? wanted : earliest
    return bounded < usual ? bounded : usual
  })

  /** Whether the address names the part that is seen. */
  const isPart = computed(() => place.value.from !== undefined)

  /** How much of the symbol's past had been made when the last requests ended; more of it makes new requests. */
  const madeBefore = signal<unknown>()

  const requested = figures(
    '/v1/bars/{symbol}',
    {
      params: ({ symbol }) => {
        void madeBefore.value
        if (start.value === undefined) return undefined
        const asked = { symbol, every: step.value, from: start.value }
        return fields.value === undefined ? asked : { ...asked, fields: fields.value }
      },
      rest: REST
    },
    subject
  )

  /** Bars of the page's symbol up to its moment. An answer of a later moment is cut, so that scrubbing draws at once. */
  const history = computed((): History | undefined => {
    const held = requested.held.value
    if (held === undefined || !isOfSymbol(held.stamp, place.value) || held.answer.symbol !== place.value.symbol)
      return undefined
    if (at.value === undefined && !isOfPage(held.stamp, place.value)) return undefined
    const known = historyOf(held.answer, horizon.value)
    const count = isPart.value ? undefined : sessionsOfPeriod(period.value)
    return count === undefined ? known : newestSessions(known, count)
  })

  /** Whether the bars were made for the moment of the page, and not cut from those of a later one. */
  const isUpToDate = computed(() => {
    const held = requested.held.value
    return held !== undefined && isOfPage(held.stamp, place.value)
  })

  /** Whether some of the sessions that are drawn have no figures but those of their close, or none. */
  const lacksMinutes = computed(() => {
    const [held, known] = [requested.held.value, history.value]
    if (held === undefined || known === undefined || !isOfPage(held.stamp, place.value)) return false
    const recorded = held.answer.recorded.flatMap(([from, to, kind]) =>
      kind === 'closes' ? [] : [[1000 * Number(from), 1000 * Number(to)] as const]
    )
    return sessionsOf(known.bars).some(({ at: first }) => {
      const time = known.bars.t[first]!
      return !recorded.some(([from, to]) => from <= time && time < to)
    })
  })

  /** The request for bars, for the states of panels. */
  const bars = { ...requested, answer: history }

  /** Requests bars until the returned function is called, and asks for less where the plan or the history has less. */
  function startBars(): () => void {
    const stops = [
      requested.start(),
      effect(() => {
        if (requested.trouble.value?.code === 'tier_restricted') access.value = LESS[access.peek()]
      }),
      effect(() => {
        if (!isSignedIn.value) access.value = 'figures'
      }),
      effect(() => {
        const made = at.value === undefined ? madeOf(place.value.symbol) : undefined
        if (!requested.isAsking.value && !requestedMap.isAsking.value) madeBefore.value = made
      }),
      effect(() => {
        const known = history.value
        if (known !== undefined && known.every !== '1d' && known.bars.t.length < FEW) sparse.value = known.symbol
      })
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  const others = computed(() =>
    (place.value.versus ?? '').split(',').filter((each) => each !== '' && each !== place.value.symbol)
  )

  const comparing = Array.from({ length: MOST_COMPARED }, (_, k) =>
    figures(
      '/v1/bars/{symbol}',
      {
        params: () => {
          const symbol = others.value[k]
          return symbol === undefined || start.value === undefined
            ? undefined
            : { symbol, every: step.value, from: start.value }
        },
        rest: REST
      },
      subject
    )
  )

  /** Closes of other symbols at the bars of the page's symbol. */
  const compared = computed(() => {
    const own = history.value
    return others.value.flatMap((symbol, k) => {
      const held = comparing[k]?.held.value
      if (own === undefined || held?.answer.symbol !== symbol || held.answer.every !== own.every) return []
      if (at.value === undefined && held.stamp.at !== 'live') return []
      const other = historyOf(held.answer, horizon.value)
      const closes = new Map(Array.from(other.bars.t, (time, i) => [time, other.bars.c[i]!]))
      return [{ symbol, values: Float64Array.from(own.bars.t, (time) => closes.get(time) ?? Number.NaN) }]
    })
  })

  const isComparing = computed(() => others.value.length > 0)

  /** The symbol whose levels are drawn over the chart; undefined: none. */
  const carriedSymbol = computed(() =>
    place.value.carried === place.value.symbol || access.value !== 'figures' ? undefined : place.value.carried
  )

  /** Bars and levels of that symbol. */
  const carrying = figures(
    '/v1/bars/{symbol}',
    {
      params: () => {
        const [symbol, from] = [carriedSymbol.value, start.value]
        if (symbol === undefined || from === undefined) return undefined
        return { symbol, every: step.value, from, fields: LEVEL_FIELDS.map(({ field }) => field).join() }
      },
      rest: REST
    },
    subject
  )
  const carryTrouble = carrying.trouble

  /** Levels of that symbol as prices of the chart's; undefined: not known yet. */
  const carried = computed(() => {
    const [own, held] = [history.value, carrying.held.value]
    if (own === undefined || held === undefined || held.answer.symbol !== carriedSymbol.value) return undefined
    if (at.value === undefined && held.stamp.at !== 'live') return undefined
    return carriedOver(own, historyOf(held.answer, horizon.value), shownLevels.value)
  })

  /** The levels of the moment, by the chosen dealer model; max pain from the last bar. */
  const chartMarks = computed(() => {
    const now = levels.answer.value?.levels
    const expiring = today.value?.levels
    const prices: Readonly<Record<string, number | null | undefined>> = {
      call_wall: now?.call_wall,
      put_wall: now?.put_wall,
      gamma_flip: now?.gamma_flip,
      'zero_dte.magnet': now?.zero_dte_magnet,
      'zero_dte.call_wall': expiring?.call_wall,
      'zero_dte.put_wall': expiring?.put_wall,
      max_pain: maxPain.value
    }
    return marksAt(shownLevels.value, (field) => prices[field])
  })

  /** The newest known value of a field in the bars. */
  function lastOf(field: string): number | undefined {
    return history.value?.columns[field]?.findLast((value) => !Number.isNaN(value))
  }

  const maxPain = computed(() => lastOf('max_pain'))

  /** The move that options price: to the close of a running session, else of the next one. */
  const cone = computed(() => {
    const known = history.value
    const last = known?.bars.t.at(-1)
    if (known === undefined || last === undefined || !place.value.cone) return undefined
    const length = STEP_LENGTHS[known.every]
    const aDay = lastOf('expected_move_1d')
    if (known.every === '1d') return aDay && { move: aDay * Math.sqrt(DAYS_AHEAD), bars: DAYS_AHEAD }
    const close = hours.value?.close
    const from = Math.max(last + length, moment.value ?? 0)
    const left = close === undefined ? 0 : Math.ceil((close - from) / length)
    const move = today.value?.expected_move.remaining_1sd_dollars
    if (left > 0 && moment.value !== undefined && moment.value < close! && move) return { move, bars: left }
    return aDay && { move: aDay, bars: Math.ceil(STEP_LENGTHS['1d'] / length) }
  })

  // A signal of its own, so that other changes of the address request nothing again.
  const isMapShown = computed(() => place.value.map)

  /** Net gamma by strike through the sessions of the period. */
  const requestedMap = figures(
    '/v1/exposure/matrix/{symbol}',
    {
      params: ({ symbol }) => {
        void madeBefore.value
        const [from, to] = [start.value, date.value]
        if (!isMapShown.value || from === undefined || to === undefined) return undefined
        const days = (Date.parse(to) - Date.parse(from)) / DAY
        const every = MAP_STEPS.find(([most]) => days <= most)?.[1]
        if (every === undefined) return undefined
        return { symbol, by: 'time', metric: 'gex', every, range_pct: 6, ...(from !== to && { from }) }
      },
      rest: REST
    },
    subject
  )
  const mapTrouble = requestedMap.trouble

  /** The map up to the shown moment. An answer of a later moment is cut, as the bars are. */
  const chartMap = computed(() => {
    const held = requestedMap.held.value
    if (held === undefined || !isMapShown.value || !isOfSymbol(held.stamp, place.value)) return undefined
    const { answer } = held
    if (answer.symbol !== place.value.symbol || (at.value === undefined && !isOfPage(held.stamp, place.value)))
      return undefined
    const known = answer.columns.filter((text) => Date.parse(text) <= horizon.value).length
    const { strikes, columns, values } = answer
    if (known === columns.length) return answer
    return { strikes, columns: columns.slice(0, known), values: values.map((row) => row.slice(0, known)) }
  })

  const chartStrikes = computed(() => (place.value.strikes ? rows.value : undefined))

  /** A price of the running session, which may be newer than the bars; undefined in a replay and while the market is closed. */
  const newestTick = computed(() => {
    const [price, time, session] = [spot.value, moment.value, hours.value]
    if (at.value !== undefined || price === undefined || time === undefined) return undefined
    return session !== undefined && time >= session.close ? undefined : { price, time }
  })

  /** Time or date at which the levels begin, if bars are older: 12:02 of the day itself, else 2026-11-04. */
  const levelsSince = computed(() => {
    const known = history.value
    const first = known?.bars.t[0]
    const since = known?.recordedSince
    if (first === undefined || since === undefined || since - first < DAY / 4) return undefined
    const wall = newYork(since)
    return wall.slice(0, 10) === date.value ? wall.slice(11, 16) : wall.slice(0, 10)
  })

  /** Requests of the chart besides those of the screen. */
  const chartFigures = [{ start: startBars }, requestedMap, carrying, ...comparing] as const
  return {
    period,
    step,
    shownPanes,
    shownLevels,
    history,
    isUpToDate,
    lacksMinutes,
    bars,
    compared,
    isComparing,
    carriedSymbol,
    carryTrouble,
    carried,
    chartMarks,
    maxPain,
    cone,
    mapTrouble,
    chartMap,
    chartStrikes,
    newestTick,
    levelsSince,
    chartFigures
  }
}

/** The chart of the page. */
export const chart = chartAt(PAGE, page, overview)
export const {
  period,
  step,
  shownPanes,
  shownLevels,
  history,
  isUpToDate,
  lacksMinutes,
  bars,
  compared,
  isComparing,
  carriedSymbol,
  carryTrouble,
  carried,
  chartMarks,
  maxPain,
  cone,
  mapTrouble,
  chartMap,
  chartStrikes,
  newestTick,
  levelsSince,
  chartFigures
} = chart
