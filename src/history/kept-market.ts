import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HistoryError } from './history-error.ts'

/** An archive, and whether the market before it is made up. */
export interface Keeping {
  readonly data: string
  readonly history: string
  readonly synthetic: boolean
}

const words = { synthetic: 'made-up', real: 'real' } as const
type Kind = keyof typeof words
const other = { synthetic: 'real', real: 'synthetic' } as const

const kindOf = ({ synthetic }: Keeping): Kind => (synthetic ? 'synthetic' : 'real')
const fileOf = ({ data }: Keeping) => join(data, 'history', 'market')

/**
 * Refuses an embedded archive that has recorded the other kind of market: what a source lacks of the past is taken from
 * the archive, so real answers would rest on made-up bars and closes. Of an archive at an address nothing is known.
 */
export function refuseOtherMarket(keeping: Keeping): void {
  const kept = keeping.history === 'embedded' ? keptIn(keeping) : undefined
  if (kept === undefined || kept === kindOf(keeping)) return
  const days = `keeps ${words[kept]} days, and ${words[other[kept]]} ones do not belong among them`
  const advice = 'choose another folder with --data, or serve without it with --history off'
  throw new HistoryError(`the history in ${keeping.data} ${days}: ${advice}`)
}

/** Leaves word of the market that is recorded from now on. It lies beside the files of the database and goes with them. */
export function rememberMarket(keeping: Keeping): void {
  if (keeping.history === 'embedded') writeFileSync(fileOf(keeping), `${kindOf(keeping)}\n`, { mode: 0o600 })
}

function keptIn(keeping: Keeping): Kind | undefined {
  try {
    const kept = readFileSync(fileOf(keeping), 'utf8').trim()
    return kept === 'synthetic' || kept === 'real' ? kept : undefined
  } catch {
    return undefined // nothing was recorded yet
  }
}
