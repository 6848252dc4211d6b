import type { CatalogRow } from '../../api/stream-frames.ts'
import type { Client } from '../../client/client.ts'
import type { Stream, StreamEvent } from '../../client/stream.ts'
import { tabulate } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** Prints every metric that the service streams. Throws if the stream ends with an error. */
export async function listMetrics(
  client: Pick<Client, 'stream'>,
  symbol: string,
  { out, err }: Pick<Terminal, 'out' | 'err'>
): Promise<void> {
  const onEvent = (event: StreamEvent) => {
    if (event.type === 'lost') err(`${event.reason}; next attempt in ${(event.retryIn / 1000).toFixed(1)} s`)
  }
  const stream = client.stream({ onEvent })
  try {
    const ended = stream.ended.then((reason) => Promise.reject(reason ?? new Error('the stream was closed')))
    const rows = await Promise.race([catalogOf(stream), ended])
    const cells = rows.map(({ id, value_type, unit, short_forms }) => [
      id,
      value_type,
      unit ?? '',
      short_forms.join(' ')
    ])
    out(tabulate(['METRIC', 'TYPE', 'UNIT', 'SHORT'], cells))
    err(`${rows.length} metrics; name those to watch: gammawall watch ${symbol} exposure.summary.net_gex`)
    err('[*] stands for the key of a row, such as exposure.gex.strikes[600].net_gex or [atm]')
  } finally {
    stream.close()
  }
}

async function catalogOf(stream: Stream): Promise<readonly CatalogRow[]> {
  const rows: CatalogRow[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const found = await stream.ask({ action: 'catalog', page })
    rows.push(...found.metrics)
    pages = found.pages
  }
  return rows
}
