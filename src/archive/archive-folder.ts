import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Kind of market recorded in an embedded archive: the synthetic one or a real one. */
export type MarketKind = 'synthetic' | 'real'

const usual = 'history'

/** Every folder of a data folder that can hold an archive. */
export const archiveFolders = [usual, `${usual}-real`, `${usual}-synthetic`] as const

/**
 * Folder of the archive for one kind of market, below a data folder. The kind that was recorded first uses `history`
 * and the other kind a separate folder, so that no response about the real market uses synthetic days.
 */
export function archiveFolder(data: string, kind: MarketKind): string {
  const folder = join(data, usual)
  const recorded = markerIn(folder)?.kind
  return recorded === undefined || recorded === kind ? folder : join(data, `${usual}-${kind}`)
}

/**
 * Adds a source to the marker file of an archive folder. The file lists the kind of market and the sources recorded so
 * far. It is replaced as a whole, so that a crash leaves a complete file. Without the file, a source of the other kind
 * could record into the folder.
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

/** Names of the sources that recorded into an embedded archive; `imported` if there was none. */
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
