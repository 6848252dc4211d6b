import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Damage } from '../history-error.ts'
import { damageOfSessionFile } from './session-file.ts'

/** Damaged session files of a folder. They are copies: the archive still has what was in them. */
export function damagedSessionFiles(folder: string): readonly Damage[] {
  return entries(folder).flatMap((symbol) =>
    entries(join(folder, symbol)).flatMap((name) => {
      const [, session, digest] = /^(\d{4}-\d{2}-\d{2})-([0-9a-f]{32})\.img$/.exec(name) ?? []
      if (session === undefined) return []
      const reason = read(join(folder, symbol, name), `${symbol} ${session} ${digest}`)
      return reason === undefined ? [] : [{ path: join(symbol, name), reason }]
    })
  )
}

function read(path: string, name: string): string | undefined {
  try {
    return damageOfSessionFile(readFileSync(path), name)
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code})`
  }
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
