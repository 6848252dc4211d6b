import { clusterStatements } from '../../archive/clickhouse/schema/cluster.ts'
import { schemaVersion } from '../../archive/clickhouse/schema/migrations.ts'
import { ConfigError } from '../../config/config.ts'
import type { CliCommand } from '../command.ts'

export const historySchemaCommand: CliCommand = {
  name: 'history schema',
  positionals: [],
  summary: 'print the statements that create the history on a ClickHouse cluster',
  flags: {
    cluster: { value: 'name', help: 'name of the cluster in the configuration of its servers' },
    from: { value: 'version', help: 'version that exists already (default: 0, none)' }
  },
  settings: {},
  async run({ flags: { cluster, from = '0' }, terminal }) {
    const problems: string[] = []
    if (typeof cluster !== 'string') problems.push('history schema needs --cluster')
    else if (!/^[\w.-]+$/.test(cluster)) problems.push(`--cluster must be the name of a cluster; it is ${cluster}`)
    const version = typeof from === 'string' && /^\d{1,4}$/.test(from) ? Number(from) : undefined
    if (version === undefined || version > schemaVersion)
      problems.push(`--from must be a whole number from 0 to ${schemaVersion}`)
    if (problems.length > 0) throw new ConfigError(problems)
    for (const statement of clusterStatements(cluster as string, version)) terminal.out(`${statement};\n`)
  }
}
