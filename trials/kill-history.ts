import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gammawall } from '../test/support/started-service.ts'

export interface KeptHistory {
  readonly faults: readonly string[]
  /** Distinct snapshots; undefined where nothing could be read. */
  readonly snapshots: number | undefined
}

/**
 * Lists recorded snapshots that are missing or doubled; `written` snapshots were acknowledged. The service must be
 * stopped.
 */
export async function faultsOfHistory(data: string, symbol: string, written: number): Promise<KeptHistory> {
  if (written === 0) return { faults: [], snapshots: undefined }
  const out = join(data, 'kept.csv')
  const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const range = ['--symbol', symbol, '--from', '2020-01-01', '--to', until]
  const { code, stderr } = await gammawall('export', ...range, '--out', out, '--data', data)
  if (code !== 0) return { faults: [`the recorded snapshots cannot be exported: ${stderr.trim()}`], snapshots: 0 }
  const seen = new Set<string>()
  const moments = new Set<string>()
  let doubled = 0
  let columns: readonly number[] | undefined
  for await (const line of createInterface({ input: createReadStream(out) })) {
    const cells = line.replaceAll('"', '').split(',')
    if (columns === undefined) {
      columns = ['ts', 'expiration', 'root', 'strike', 'right'].map((name) => cells.indexOf(name))
      if (columns.includes(-1)) return { faults: [`an export without the columns it had: ${line}`], snapshots: 0 }
      continue
    }
    const contract = columns.map((column) => cells[column]).join()
    if (seen.has(contract)) doubled++
    seen.add(contract)
    moments.add(cells[columns[0]])
  }
  const faults: string[] = []
  if (doubled > 0) faults.push(`${doubled} recorded contracts are there twice`)
  if (moments.size < written) faults.push(`${written} snapshots were written, ${moments.size} are there`)
  return { faults, snapshots: moments.size }
}
