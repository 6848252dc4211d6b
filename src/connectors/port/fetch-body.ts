import { fetchPayload, type HttpSource } from './http.ts'
import { SourceError } from './source-error.ts'

/** What lies at an address where something has to be. It waits for its turn where the source counts requests. */
export async function fetchBody(source: HttpSource, address: string, signal: AbortSignal): Promise<Buffer> {
  await source.budget?.turn(signal)
  const answer = await fetchPayload(source, { address, held: undefined, now: Date.now(), signal })
  if (answer.status === 'changed') return answer.bytes
  throw new SourceError('unavailable', `${source.vendor} has nothing at ${new URL(address).pathname}`)
}
