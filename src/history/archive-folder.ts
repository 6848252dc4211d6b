import { readFileSync, writeFileSync } from 'node:fs'
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
  const kept = keptIn(folder)
  return kept === undefined || kept === kind ? folder : join(data, `${usual}-${kind}`)
}

/** Leaves word of what is recorded in a folder from now on. It lies beside the files of the database and goes with them. */
export function rememberKind(folder: string, kind: MarketKind): void {
  writeFileSync(join(folder, 'market'), `${kind}\n`, { mode: 0o600 })
}

function keptIn(folder: string): MarketKind | undefined {
  try {
    const kept = readFileSync(join(folder, 'market'), 'utf8').trim()
    return kept === 'synthetic' || kept === 'real' ? kept : undefined
  } catch {
    return undefined // nothing was recorded yet
  }
}
