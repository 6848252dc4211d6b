import { variableOf } from '../../config/settings.ts'
import type { Capability } from '../../connectors/port/capability.ts'
import type { ConnectorSettings } from '../../connectors/port/setting.ts'
import { references } from '../../connectors/reference-registry.ts'
import { connectors } from '../../connectors/registry.ts'
import { asJson, type CliCommand } from '../command.ts'

export const connectorsCommand: CliCommand = {
  name: 'connectors',
  positionals: [],
  summary: 'list the sources of market data: what each provides, what it needs, its settings and its terms',
  flags: { json: { help: 'print JSON' } },
  settings: {},
  async run({ flags, terminal }) {
    const listed = [
      ...connectors.map(tellOf),
      ...references.map((reference) =>
        tellOf({ ...reference, settings: { ...reference.settings, ...reference.account }, synthetic: false })
      )
    ]
    terminal.out(flags['json'] ? asJson(listed) : listed.map(linesOf).join('\n\n'))
  }
}

interface Declared {
  readonly name: string
  readonly provides: readonly Capability[]
  readonly synthetic: boolean
  readonly terms: string
  readonly settings: ConnectorSettings
}

function tellOf({ name, provides, synthetic, terms, settings }: Declared) {
  const named = Object.entries(settings)
  return {
    name,
    provides,
    synthetic,
    needs: named.flatMap(([setting, { secret, needed }]) => {
      if (secret) return [variableOf(setting)]
      return needed ? [`--${setting}`] : []
    }),
    settings: named.filter(([, { secret }]) => !secret).map(([setting]) => `--${setting}`),
    terms
  }
}

function linesOf({ name, provides, needs, settings, terms }: ReturnType<typeof tellOf>): string {
  return [
    `${name}: ${provides.join(', ')}`,
    `  needs     ${needs.length === 0 ? 'nothing' : needs.map(withFile).join(', ')}`,
    ...(settings.length === 0 ? [] : [`  settings  ${settings.join(' ')}`]),
    `  terms     ${terms}`
  ].join('\n')
}

/** After the name of an environment variable, adds that the secret may also be in a file. */
const withFile = (name: string) => (name.startsWith('--') ? name : `${name}, or a file of it`)
