/** Endpoints whose figures a screen of the dashboard shows, by the screen's word in addresses. */
export const pageScreens = {
  overview: [
    'exposure.summary',
    'exposure.gex',
    'exposure.levels',
    'exposure.zero_dte',
    'exposure.term_structure',
    'exposure.oi_diff',
    'exposure.narrative',
    'exposure.matrix',
    'bars.current',
    'series.current'
  ],
  expirations: ['exposure.matrix', 'exposure.levels', 'exposure.term_structure', 'maxpain.current', 'options.current'],
  hedging: ['exposure.profile', 'exposure.levels', 'exposure.zero_dte', 'series.current']
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PageScreen = keyof typeof pageScreens
export const pageScreenNames = Object.keys(pageScreens) as readonly PageScreen[]

/**
 * The dashboard shows these on a plan apart from its requests: whole screens, with figures of past sessions up to the
 * newest one that is over. Requests of its pages then use up no request of the plan.
 */
export interface PageAllowance {
  readonly screens: readonly PageScreen[]
  /** Different symbols that may be opened in a UTC day. */
  readonly symbols: number
  /** Sessions that can be looked at, counted back from the newest one that is over. */
  readonly sessions: number
}
