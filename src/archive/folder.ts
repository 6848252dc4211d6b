import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What an embedded archive keeps: made-up days, or those of a real market. */
export type MarketKind = 'synthetic' | 'real'

const usual = 'history'

/**
 * The folder of the archive for one kind of market, below a data folder. It is `history` for whichever is recorded there
 * first, and a folder of its own for the other: what a source lacks of the past is taken from its archive, and no real
 * answer may rest on made-up days.
 */
export function archiveFolder(data: string, kind: MarketKind): string {
  const folder = join(data, usual)
  const kept = wordIn(folder)?.kind
  return kept === undefined || kept === kind ? folder : join(data, `${usual}-${kind}`)
}

/**
 * Leaves word of what is recorded in a folder from now on, beside those that recorded there before. It lies with the
 * files of the database and goes with them. A crash leaves the word of before or the new one: without any, the next
 * source would take the folder, of whichever kind it is.
 */
export function rememberSource(folder: string, kind: MarketKind, source: string): void {
  const word = wordIn(folder)
  if (word?.kind === kind && word.sources.includes(source)) return
  const file = join(folder, 'market')
  const fresh = `${file}.${process.pid}`
  const sources = new Set([...(word?.sources ?? []), source])
  writeFileSync(fresh, `${[kind, ...sources].join('\n')}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}

/** Where the snapshots of an embedded archive come from: every source that recorded them, or imports alone. */
export function originOf(folder: string): string {
  const word = wordIn(folder)
  if (word === undefined) return 'imported'
  if (word.sources.length > 0) return word.sources.join(', ')
  return word.kind === 'synthetic' ? 'synthetic' : 'recorded'
}

function wordIn(folder: string): { readonly kind: MarketKind; readonly sources: readonly string[] } | undefined {
  try {
    const [kind, ...sources] = readFileSync(join(folder, 'market'), 'utf8').trim().split('\n')
    return kind === 'synthetic' || kind === 'real' ? { kind, sources } : undefined
  } catch {
    return undefined // nothing was recorded yet
  }
}
