/** What an embedded panel and the page around it tell one another, by postMessage, each to the origin of the other. */

/** From the panel: how high it is, in CSS pixels, or that it needs another token. */
export type FromPanel =
  | { readonly gammawall: 'height'; readonly height: number }
  | { readonly gammawall: 'token'; readonly symbol: string }

/** To the panel: what has changed. */
export interface ToPanel {
  readonly gammawall: 'change'
  readonly token?: string
  readonly symbol?: string
  readonly theme?: string
  readonly range?: string
  readonly dealers?: string
}
