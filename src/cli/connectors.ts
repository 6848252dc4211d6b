import { variableOf } from '../config/settings.ts'
import type { ConnectorDeclaration } from '../connectors/port/declaration.ts'
import { connectors } from '../connectors/registry.ts'
import { asJson, type Command } from './command.ts'

export const connectorsCommand: Command = {
  name: 'connectors',
  positionals: [],
  summary: 'list the sources of market data: what each provides, what it needs, its settings and its terms',
  flags: { json: { help: 'print JSON' } },
  settings: {},
  async run({ flags, terminal }) {
    const listed = connectors.map(tellOf)
    terminal.out(flags['json'] ? asJson(listed) : listed.map(linesOf).join('\n\n'))
  }
}

function tellOf({ name, provides, synthetic, terms, settings }: ConnectorDeclaration) {
  const named = Object.entries(settings)
  return {
    name,
    provides,
    synthetic,
    needs: named.filter(([, { secret }]) => secret).map(([setting]) => variableOf(setting)),
    settings: named.filter(([, { secret }]) => !secret).map(([setting]) => `--${setting}`),
    terms
  }
}

function linesOf({ name, provides, needs, settings, terms }: ReturnType<typeof tellOf>): string {
  return [
    `${name}: ${provides.join(', ')}`,
    `  needs     ${needs.length === 0 ? 'nothing' : needs.map((each) => `${each}, or a file of it`).join(', ')}`,
    ...(settings.length === 0 ? [] : [`  settings  ${settings.join(' ')}`]),
    `  terms     ${terms}`
  ].join('\n')
}
