import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LogLevel, logLevels } from './settings.ts'

/** The word in the file `log-level` of the data folder; undefined without the file. Adds mistakes to `problems`. */
export function readLogLevel(data: string, problems: string[]): LogLevel | undefined {
  const file = join(data, 'log-level')
  if (!existsSync(file)) return undefined
  const word = readFileSync(file, 'utf8').trim()
  const level = logLevels.find((known) => known === word)
  if (level === undefined) problems.push(`${file}: line 1: it must hold one of ${logLevels.join(', ')}`)
  return level
}
