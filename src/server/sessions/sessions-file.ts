import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

/** A browser session as it is stored. Its token is not in it, only the SHA-256 hash. */
const storedSession = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  keyId: Type.String(),
  /** Unix milliseconds. */
  expiresAt: Type.Number(),
  uncounted: Type.Union([Type.Literal('all'), Type.Literal('held')])
})

export type StoredSession = Static<typeof storedSession>

export interface SessionStore {
  /** The stored sessions, oldest first; none if there is no readable file. */
  read(): readonly StoredSession[]
  /** Replaces all stored sessions. */
  write(sessions: readonly StoredSession[]): void
}

/**
 * Sessions in a file of the data folder that only its owner can read, so that browsers stay signed in over a restart.
 * `onError` is told of a file that cannot be written; the sessions then end with the process.
 */
export function sessionFile(data: string, onError: (error: Error) => void): SessionStore {
  const file = join(data, 'sessions.json')
  return {
    read() {
      try {
        const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
        return Array.isArray(stored) ? stored.filter((each) => Value.Check(storedSession, each)) : []
      } catch {
        return [] // users sign in again
      }
    },
    write(sessions) {
      const fresh = `${file}.new`
      try {
        rmSync(fresh, { force: true })
        writeFileSync(fresh, `${JSON.stringify(sessions)}\n`, { mode: 0o600, flag: 'wx' })
        renameSync(fresh, file)
      } catch (error) {
        onError(error as Error)
      }
    }
  }
}
