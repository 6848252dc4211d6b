import { deprecationText } from '../../api/deprecation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { InputName } from '../../api/inputs/inputs.ts'
import type { SchemaNode } from '../../api/schema-node.ts'

/** What each input of an answer is, in words; undefined for those that tell a reader nothing, such as the clock. */
const inputWords: Readonly<Record<InputName, string | undefined>> = {
  chain: 'the option chain of the symbol',
  anyChain: 'the option chain of the symbol',
  quote: 'the quote of the underlying',
  anyQuote: 'the quote of the underlying',
  tapeSubject: undefined,
  lastKnown: 'the last known price of the symbol',
  sourceDelay: undefined,
  provenance: 'the source of the chain',
  distrust: 'the quality of the data',
  prior: 'the chain at the previous close',
  previousClose: 'the previous close',
  earlier: 'an earlier chain of the symbol',
  secondChain: 'the chain of a second symbol',
  chains: 'the chains of all its symbols',
  histories: 'daily bars of all its symbols',
  vix: 'the VIX',
  vixQuote: 'the VIX',
  bandHistory: 'how earlier bands held',
  bars: 'daily bars',
  records: 'daily records of past sessions',
  figures: 'figures over time',
  strikeColumns: 'figures by strike over the session',
  macro: 'figures of the wider market',
  earnings: 'reports of the company',
  earningsCalendar: 'the calendar of reports',
  earningsDates: 'the dates of reports',
  pastBars: 'daily bars',
  pastPrices: 'daily bars, stock prints and recorded chains',
  sessionOpen: 'the open of the session',
  positions: 'positions estimated from the prints of the session',
  sessionPositions: 'positions estimated from the prints of the session, where asked for',
  samples: 'samples of the session',
  strikeMinutes: 'figures by strike and minute',
  groups: 'groups of option prints',
  optionTotals: 'the option tape',
  optionPrints: 'the option tape',
  optionBlocks: 'the option tape',
  optionMinutes: 'the option tape',
  optionWindow: 'the option tapes of all symbols',
  stockTotals: 'the stock tape',
  stockPrints: 'the stock tape',
  stockBlocks: 'the stock tape',
  stockMinutes: 'the stock tape',
  stockSeconds: 'the stock tape',
  stockWindow: 'the stock tapes of all symbols',
  newestSamples: 'the newest samples of all symbols',
  customers: 'the flow of earlier sessions and the open interest that followed',
  pressure: 'hedging pressure by half minutes',
  pastPressure: 'hedging pressure of earlier sessions at this time of day',
  screened: 'every loaded chain',
  minute: undefined,
  halfMinute: undefined,
  second: undefined,
  session: undefined,
  today: undefined,
  catalogue: 'what the service holds',
  account: 'the account of the key',
  now: undefined
}

/**
 * Description of an operation: what its author says it is for, then what it is made from, the units of its figures and
 * where else it can be asked.
 */
export function operationText(endpoint: Endpoint): string {
  const { description, needs, response, replay, stream, id, path, aliases, deprecated } = endpoint
  const inputs = [...new Set(needs.map((name) => inputWords[name]).filter((words) => words !== undefined))]
  const units = [...unitsIn(response as SchemaNode)]
  const facts = [
    inputs.length === 0 ? 'Needs no market data.' : `Made from ${listed(inputs)}.`,
    units.length > 0 && `Units: ${units.join(', ')}.`,
    replay && 'Also answers about past moments.',
    aliases.length > 0 && `The same at ${listed([path, ...aliases].map((each) => `\`${each}\``))}.`,
    stream && `Its fields are metrics of the stream: ${id}.*`
  ]
  const ending = deprecated === undefined ? '' : deprecationText(deprecated)
  return [ending, description, facts.filter((fact) => fact !== false).join(' ')]
    .filter((text) => text !== '')
    .join('\n\n')
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Units of all figures in a schema, in the order in which they first appear. */
function unitsIn(node: SchemaNode, found = new Set<string>()): ReadonlySet<string> {
  if (node['x-unit'] !== undefined) found.add(node['x-unit'])
  const { items, properties = {}, patternProperties = {}, anyOf = [], allOf = [] } = node
  const inside = [...Object.values(properties), ...Object.values(patternProperties), ...anyOf, ...allOf]
  for (const part of items === undefined ? inside : [...inside, items]) unitsIn(part, found)
  return found
}
