import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import type { Update } from '../../src/api/stream-frames.ts'

/** Figures that the page reports to have drawn. */
export interface Drawn {
  readonly drawn: readonly { readonly metric: string; readonly text: string; readonly updates: readonly Update[] }[]
  readonly refusals: readonly string[]
}

interface Task {
  readonly url: string
  readonly streamUrl: string
  readonly metrics: readonly string[]
}

/** Serves the page, the built client, and tickets: the key stays on this side. */
export async function servePage(built: string, task: Task, ticket: () => Promise<string>) {
  const seen: { latest: Drawn | undefined } = { latest: undefined }
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const send = (type: string, text: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(text)
    if (path === '/') return send('text/html', readFileSync(join(import.meta.dirname, 'watch-page.html')))
    if (path === '/task') return send('application/json', JSON.stringify(task))
    if (path === '/ticket') return send('application/json', await ticket())
    if (path.startsWith('/client/')) return send('text/javascript', readFileSync(join(built, basename(path))))
    if (path !== '/drawn') return response.writeHead(404).end()
    let body = ''
    for await (const chunk of request) body += chunk
    seen.latest = JSON.parse(body)
    return response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { address, seen, close: () => void server.close().closeAllConnections() }
}
