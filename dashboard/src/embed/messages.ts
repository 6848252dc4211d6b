/** Messages between an embedded panel and the page around it, by postMessage, each to the origin of the other. */

/** From the panel: its height in CSS pixels, or a request for a new token. */
export type FromPanel =
  | { readonly gammawall: 'height'; readonly height: number }
  | { readonly gammawall: 'token'; readonly symbol: string }

/** To the panel: changed attributes. */
export interface ToPanel {
  readonly gammawall: 'change'
  readonly token?: string
  readonly symbol?: string
  readonly theme?: string
  readonly range?: string
  readonly dealers?: string
  readonly expirations?: string
}
