/** A resolution of the charting library, and the length of our bars for it. */
export interface Resolution {
  /** Its names in requests; the first is the one that we offer. */
  readonly names: readonly string[]
  readonly name: string
  readonly every: string
  /** Length in minutes; undefined for sessions and weeks. */
  readonly minutes: number | undefined
  /** Calendar days that hold one bar at least, for counting back. */
  readonly days: number
}

/** Calendar days for one session, weekends and holidays included. */
const DAYS_PER_SESSION = 1.6
const MINUTES_PER_SESSION = 390

const withinSession = (minutes: number, every: string): Resolution => ({
  names: [String(minutes)],
  name: String(minutes),
  every,
  minutes,
  days: (DAYS_PER_SESSION * minutes) / MINUTES_PER_SESSION
})

export const chartResolutions: readonly Resolution[] = [
  withinSession(1, '1m'),
  withinSession(5, '5m'),
  withinSession(15, '15m'),
  withinSession(30, '30m'),
  withinSession(60, '1h'),
  { names: ['1D', 'D'], name: '1D', every: '1d', minutes: undefined, days: DAYS_PER_SESSION },
  { names: ['1W', 'W'], name: '1W', every: '1w', minutes: undefined, days: 7 }
]

export const resolutionNamed = (text: string) => chartResolutions.find(({ names }) => names.includes(text))
