/** What an embedded panel was opened with. This file imports nothing: it runs before the state of the page is made. */
export interface Arrival {
  readonly panel: string
  /** Empty where none came along. */
  readonly token: string
  /** The origin of the page around, as that page says; whoever may frame a panel is checked by the browser. */
  readonly page: string | undefined
  readonly theme: 'dark' | 'light' | undefined
}

/**
 * Reads /embed/{panel}/{SYMBOL}?theme=&range=…#token=…&page=… and leaves an address behind that says what is shown, as on
 * every page of the dashboard, without the token.
 */
export function arrive(): Arrival {
  const [, , panel = '', symbol = ''] = location.pathname.split('/')
  const query = new URLSearchParams(location.search)
  const said = new URLSearchParams(location.hash.slice(1))
  const page = said.get('page') ?? (history.state as { readonly page?: string } | null)?.page
  const theme = query.get('theme')
  query.delete('theme')
  history.replaceState({ page }, '', `#/overview/${symbol}?${query}`)
  return {
    panel,
    token: said.get('token') ?? '',
    page: page ?? undefined,
    theme: theme === 'dark' || theme === 'light' ? theme : undefined
  }
}
