import { settings } from '../../config/settings.ts'
import type { CliCommand } from '../command.ts'
import { backUp } from './back-up.ts'
import type { BackupManifest } from './backup-manifest.ts'
import { restore } from './restore.ts'

const now = () => new Date()

export const backupCommand: CliCommand = {
  name: 'backup',
  positionals: ['folder'],
  summary: 'copy the data folder to a new folder, also while the service runs',
  flags: {},
  settings: { data: settings.data },
  async run({ config, positionals: [folder], terminal }) {
    terminal.out(`${folder} holds ${described(await backUp(config.data, folder!, now))}`)
  }
}

export const restoreCommand: CliCommand = {
  name: 'restore',
  positionals: ['folder'],
  summary: 'put a backup into the data folder; what it held is moved aside',
  flags: {},
  settings: { data: settings.data },
  async run({ config, positionals: [folder], terminal }) {
    const { manifest, replaced } = await restore(folder!, config.data, now)
    terminal.out(`${config.data} holds ${described(manifest)}, as of ${manifest.made_at}`)
    if (replaced !== undefined) terminal.out(`what it held before is in ${replaced}`)
  }
}

function described({ users, keys, alerts, files }: BackupManifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const history = files.some(({ path }) => path.startsWith('history')) ? 'the history' : 'no history'
  return `${users} users, ${keys} keys, ${alerts} alerts and ${history} in ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`
}
