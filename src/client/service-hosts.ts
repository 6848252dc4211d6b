export interface ServiceHosts {
  readonly rest: string
  readonly replay: string
  /** ws: or wss: address, without /ws at its end. */
  readonly stream: string
}

/**
 * Derives the addresses of all hosts from the REST address. By default the host for historical data and the stream use
 * the next two ports. An address without a port is a proxy that serves everything.
 */
export function hostsOf(
  url: string,
  named: { readonly replayUrl?: string; readonly streamUrl?: string } = {}
): ServiceHosts {
  const { replayUrl = beside(url, 1), streamUrl = beside(url, 2) } = named
  return {
    rest: checked(url),
    replay: checked(replayUrl),
    stream: checked(streamUrl).replace(/^http/, 'ws').replace(/\/ws$/, '')
  }
}

/** URL of a request: parameters named in the path replace their placeholders, the others become the query. */
export function addressOf(
  host: string,
  path: string,
  params: Readonly<Record<string, string | number | boolean | undefined>>
): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, String(value))
  }
  return host + filled + (query.size === 0 ? '' : `?${query}`)
}

function beside(url: string, ports: number): string {
  const { port } = new URL(url)
  return port === '' ? url : url.replace(`:${port}`, `:${Number(port) + ports}`)
}

function checked(url: string): string {
  if (!/^(https?|wss?):$/.test(new URL(url).protocol)) throw new TypeError(`${url} is no address of a web server`)
  return url.replace(/\/+$/, '')
}
