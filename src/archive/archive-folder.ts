import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What an embedded archive keeps: made-up days, or those of a real market. */
export type MarketKind = 'synthetic' | 'real'

const usual = 'history'

/**
 * The folder of the archive for one kind of market, below a data folder. The kind that is recorded first has `history`,
 * the other a folder of its own: days that a source lacks are read from its archive, and no real answer may rest on
 * made-up days.
 */
export function archiveFolder(data: string, kind: MarketKind): string {
  const folder = join(data, usual)
  const recorded = markerIn(folder)?.kind
  return recorded === undefined || recorded === kind ? folder : join(data, `${usual}-${kind}`)
}

/**
 * Writes the kind and the name of a source into the marker file of a folder, beside the sources that recorded there
 * before. The file lies with those of the database and is deleted with them. A crash leaves the old file or the new
 * one: without any, the next source would record into the folder, real or made up.
 */
export function rememberSource(folder: string, kind: MarketKind, source: string): void {
  const marker = markerIn(folder)
  if (marker?.kind === kind && marker.sources.includes(source)) return
  const file = join(folder, 'market')
  const fresh = `${file}.${process.pid}`
  const sources = new Set([...(marker?.sources ?? []), source])
  writeFileSync(fresh, `${[kind, ...sources].join('\n')}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}

/** Where the snapshots of an embedded archive come from: every source that recorded them, or imports alone. */
export function originOf(folder: string): string {
  const marker = markerIn(folder)
  if (marker === undefined) return 'imported'
  if (marker.sources.length > 0) return marker.sources.join(', ')
  return marker.kind === 'synthetic' ? 'synthetic' : 'recorded'
}

function markerIn(folder: string): { readonly kind: MarketKind; readonly sources: readonly string[] } | undefined {
  try {
    const [kind, ...sources] = readFileSync(join(folder, 'market'), 'utf8').trim().split('\n')
    return kind === 'synthetic' || kind === 'real' ? { kind, sources } : undefined
  } catch {
    return undefined // nothing was recorded yet
  }
}
