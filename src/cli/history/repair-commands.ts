import { join } from 'node:path'
import { HistoryError } from '../../archive/history-error.ts'
import { settings } from '../../config/settings.ts'
import type { CliCommand } from '../command.ts'
import { alone, checkData, damageLines, repairData } from './data-check.ts'

export const historyVerifyCommand: CliCommand = {
  name: 'history verify',
  positionals: [],
  summary: 'read everything in the data folder and say what is damaged',
  flags: {},
  settings: { data: settings.data },
  async run({ config: { data }, terminal }) {
    const lines = damageLines(await alone(data, 'verify', () => checkData(data)))
    for (const line of lines) terminal.out(line)
    if (lines.length === 0) return terminal.out(`nothing in ${data} is damaged`)
    throw new HistoryError(`${lines.length} damaged: gammawall history repair sets aside what can be set aside`)
  }
}

/** Damaged parts show only once the descriptions of their tables are repaired, and those of one table after another. */
const MAX_ROUNDS = 3

export const historyRepairCommand: CliCommand = {
  name: 'history repair',
  positionals: [],
  summary: 'move damaged parts of the history out of the way, so that the rest answers',
  flags: {},
  settings: { data: settings.data },
  async run({ config: { data }, terminal }) {
    const left = await alone(data, 'repair', async () => {
      const aside = join(data, `damaged-${new Date().toISOString().replaceAll(':', '-')}`)
      let damage = await checkData(data)
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const done = await repairData(data, damage, aside)
        for (const line of done) terminal.out(line)
        if (done.length === 0) break
        damage = await checkData(data)
      }
      return damageLines(damage)
    })
    if (left.length === 0) return terminal.out(`nothing in ${data} is damaged now`)
    for (const line of left) terminal.err(line)
    throw new HistoryError(`${left.length} damaged, which repair cannot set aside`)
  }
}
