/**
 * The parameters of an embedded panel. This file imports nothing, because it runs before the state reads the address.
 */
export interface Arrival {
  readonly panel: string
  /** Empty without a token. */
  readonly token: string
  /** Origin of the page around, by its own account. The browser checks who may frame a panel. */
  readonly page: string | undefined
  readonly theme: 'dark' | 'light' | undefined
}

/**
 * Reads /embed/{panel}/{SYMBOL}?theme=&range=…#token=…&page=… and replaces the address by one that the dashboard reads,
 * without the token.
 */
export function arrive(): Arrival {
  const [, , panel = '', symbol = ''] = location.pathname.split('/')
  const query = new URLSearchParams(location.search)
  const fragment = new URLSearchParams(location.hash.slice(1))
  const page = fragment.get('page') ?? (history.state as { readonly page?: string } | null)?.page
  const theme = query.get('theme')
  query.delete('theme')
  history.replaceState({ page }, '', `#/overview/${symbol}?${query}`)
  return {
    panel,
    token: fragment.get('token') ?? '',
    page: page ?? undefined,
    theme: theme === 'dark' || theme === 'light' ? theme : undefined
  }
}
