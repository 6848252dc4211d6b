/** Where the service answers. */
export interface ServiceHosts {
  readonly rest: string
  readonly replay: string
  /** ws: or wss:, without the /ws at its end */
  readonly stream: string
}

/**
 * The hosts of a service from the address of its REST interface. Replay and stream stand on the next two ports unless
 * they are named, as the service arranges them by itself; an address without a port serves everything behind a proxy.
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

/** The address of an endpoint with its parameters: those of its path in their places, the others as query. */
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

/** An address without its last slash. */
function checked(url: string): string {
  if (!/^(https?|wss?):$/.test(new URL(url).protocol)) throw new TypeError(`${url} is no address of a web server`)
  return url.replace(/\/+$/, '')
}
