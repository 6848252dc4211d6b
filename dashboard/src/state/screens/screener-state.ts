import { batch, computed, effect, signal, untracked } from '@preact/signals'
import { ApiError, type BodyOf } from 'gammawall/client'
import { at, place } from '../page/address.ts'
import { isHidden } from '../page/reader.ts'
import { client } from '../service/ask.ts'
import { figures } from '../service/figures.ts'
import { endOutage, recordRefusal } from '../service/freshness.ts'
import { pollPace } from '../service/pace.ts'
import { isSignedIn } from '../service/sign-in.ts'
import { symbolsOf } from '../service/watchlists.ts'
import { COLUMNS, formulasOf, sortKeysOf } from './screener-columns.ts'

type Body = BodyOf<'/v1/screener'>

/** A symbol with the values of its columns. */
export interface Row extends Readonly<Record<string, unknown>> {
  readonly symbol: string
}

interface Found {
  /** The request that was answered. */
  readonly key: string
  /** In the order of the service; undefined where a page of rows was not loaded yet. */
  readonly rows: readonly (Row | undefined)[]
  readonly total: number
  readonly looked: number
  /** Number of symbols that have no row yet. */
  readonly missing: number
  readonly isWhole: boolean
}

const PATH = '/v1/screener'
/** Rows per request: the most that every plan allows. */
export const PAGE = 50
/** How long scrolling must rest before rows are requested, milliseconds. */
const REST = 120

export const answer = signal<Found>()
export const trouble = signal<ApiError>()
export const isAsking = signal(false)
/** First and last visible row. */
export const inSight = signal<readonly [number, number]>([0, 0])

/** The request as text, so that equal requests compare equal. Undefined in replay, since screens are not recorded. */
const request = computed((): string | undefined => {
  if (at.value !== undefined) return undefined
  const { view, universe, list, where, formula, sort } = place.value
  const formulas = formulasOf(formula)
  const aliases = formulas.map(({ alias }) => alias)
  const body: Body = {
    ...(universe === 'stars'
      ? { universe: { type: 'custom', symbols: symbolsOf(list) ?? [] } }
      : universe !== undefined && { universe: { type: 'preset', value: universe } }),
    ...(where !== undefined && { where }),
    ...(formulas.length > 0 && { formulas }),
    ...(sort !== undefined && {
      sort: sortKeysOf(sort).map(({ name, isDown }) => ({
        [aliases.includes(name) ? 'formula' : 'field']: name,
        direction: isDown ? 'desc' : 'asc'
      }))
    }),
    select: [...new Set([...COLUMNS[view].map(({ field }) => field), ...aliases])],
    limit: PAGE
  }
  return JSON.stringify(body)
})

/** Requests the visible rows again and again, until the returned function is called. */
export function start(): () => void {
  return effect(() => {
    const key = request.value
    if (key === undefined || !isSignedIn.value) {
      answer.value = undefined
      return undefined
    }
    return untracked(() => follow(key))
  })
}

function follow(key: string): () => void {
  const gaveUp = new AbortController()
  const isOver = () => gaveUp.signal.aborted
  let isBusy = false
  let rest: ReturnType<typeof setTimeout> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(page: number): Promise<boolean> {
    isAsking.value = true
    try {
      const offset = page * PAGE
      const body: Body = { ...JSON.parse(key), ...(offset > 0 && { offset }) }
      const { meta, data } = await client.post(PATH, body, { signal: gaveUp.signal })
      if (isOver()) return false
      batch(() => {
        const held = answer.peek()
        const isWhole = meta.tier === 'alpha'
        const total = isWhole ? meta.total_count : meta.returned_count
        const rows = Array.from({ length: total }, (_, i) => (held?.key === key ? held.rows[i] : undefined))
        rows.splice(offset, data.length, ...(data as readonly Row[]))
        answer.value = {
          key,
          rows,
          total: meta.total_count,
          looked: meta.universe_size,
          missing: meta.missing_count,
          isWhole
        }
        trouble.value = undefined
        isAsking.value = false
        endOutage(PATH)
      })
      return true
    } catch (error) {
      if (isOver()) return false
      if (!(error instanceof ApiError)) throw error
      batch(() => {
        trouble.value = error
        isAsking.value = false
        recordRefusal(PATH, error)
      })
      return false
    }
  }

  const pagesInSight = () => {
    const [first, last] = inSight.peek().map((row) => Math.floor(row / PAGE)) as [number, number]
    const pages = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    return pages.filter((page) => page === 0 || page * PAGE < (answer.peek()?.rows.length ?? 0))
  }
  const isMissing = (page: number) => answer.peek()?.key !== key || answer.peek()?.rows[page * PAGE] === undefined

  /** Requests visible rows that are missing, one page of rows after another. */
  async function loadMissing(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let page = pagesInSight().find(isMissing); page !== undefined; page = pagesInSight().find(isMissing))
      if (isOver() || !(await load(page))) break
    isBusy = false
  }

  async function renew(): Promise<void> {
    if (!isHidden.peek() && !isBusy) {
      isBusy = true
      for (const page of pagesInSight()) if (isOver() || !(await load(page))) break
      isBusy = false
    }
    if (!isOver()) void again()
  }
  const again = async () => {
    const pace = await pollPace()
    if (!isOver()) timer = setTimeout(() => void renew(), pace)
  }

  const stopWatching = effect(() => {
    void inSight.value
    clearTimeout(rest)
    rest = setTimeout(() => void loadMissing(), REST)
  })
  isBusy = true
  void load(0).then(() => {
    isBusy = false
    if (isOver()) return
    void again()
    void loadMissing()
  })
  return () => {
    gaveUp.abort()
    stopWatching()
    clearTimeout(rest)
    clearTimeout(timer)
    isAsking.value = false
  }
}

/** Days ahead for which earnings reports are requested. */
const AHEAD = 45
/** Coming earnings reports. Like screens, they exist for the present only. */
export const calendar = figures('/v1/earnings/calendar', {
  params: () => (at.value === undefined ? { days: AHEAD } : undefined),
  isDaily: true
})

/** The next report of each company. */
export const nextReport = computed(() => {
  const events = calendar.answer.value?.events ?? []
  return new Map([...events].reverse().map((event) => [event.symbol, event]))
})

/** Names that a condition may use, ascending; empty before `loadFields`. */
export const fields = signal<readonly string[]>([])
let asked: Promise<void> | undefined

/** Loads the names once. Without an answer the field offers no suggestions. */
export function loadFields(): Promise<void> {
  asked ??= client.get('/v1/screener/fields').then(
    (found) => {
      fields.value = found.fields.map(({ name }) => name)
    },
    () => {
      asked = undefined
    }
  )
  return asked
}
