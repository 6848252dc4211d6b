import type { AnswerOf, Client } from '../../client/client.ts'
import { RequestError } from '../../client/request-error.ts'
import { settings } from '../../config/settings.ts'
import { asJson, type CliCommand, tabulate } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { clientOf, keyFor, serviceOf, urlFlag } from './service-client.ts'

const paths = [
  '/v1/strategies/flow-anomaly/{symbol}',
  '/v1/strategies/expiry-positioning/{symbol}',
  '/v1/strategies/zero-dte/{symbol}',
  '/v1/strategies/dealer-regime/{symbol}',
  '/v1/strategies/vol-carry/{symbol}',
  '/v1/strategies/yield-enhancement/{symbol}',
  '/v1/strategies/surface-anomaly/{symbol}',
  '/v1/strategies/skew/{symbol}',
  '/v1/strategies/term-structure/{symbol}',
  '/v1/strategies/tail-pricing/{symbol}'
] as const
type Signal = AnswerOf<(typeof paths)[number]>

/** One strategy signal, or the reason why the service refused it, such as a plan that does not include it. */
type SignalResult = { readonly name: string } & (
  | { readonly signal: Signal }
  | { readonly refused: { readonly error: string; readonly message: string } }
)

export const strategySignalsCommand: CliCommand = {
  name: 'signals',
  positionals: ['symbol'],
  summary: 'show the strategy signals of a running service for a symbol',
  flags: {
    key: { value: 'key', help: 'key of a user (default: GAMMAWALL_KEY, else a demo key)' },
    url: urlFlag,
    'replay-url': { value: 'address', help: 'historical interface of the service (default: one port above)' },
    at: { value: 'moment', help: 'a past New York moment, yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss (default: now)' },
    json: { help: 'print JSON' }
  },
  settings: { data: settings.data },
  async run({ config, positionals: [symbol], flags, terminal }) {
    const { key, at, json } = flags
    const client = clientOf({ ...serviceOf({ flags, config }), key: keyFor(key, terminal.env, config.data) })
    await showSignals(client, { symbol, at: typeof at === 'string' ? at : undefined, json: json === true }, terminal)
  }
}

interface SignalsRequest {
  readonly symbol: string
  /** Past time for which the signals are requested; undefined for now. */
  readonly at: string | undefined
  readonly json: boolean
}

/** Requests all strategy signals at once and prints one row per signal with its best structure. */
export async function showSignals(
  client: Pick<Client, 'get'>,
  { symbol, at, json }: SignalsRequest,
  { out }: Pick<Terminal, 'out'>
): Promise<void> {
  const results = await Promise.all(paths.map((path) => ask(client, path, symbol, at)))
  // If every signal was refused, for example for an unknown symbol, the command fails with the first reason.
  const first = results[0]
  if (results.every((each) => 'refused' in each) && 'refused' in first) throw first.cause
  if (json) {
    return out(
      asJson(Object.fromEntries(results.map((each) => [each.name, 'signal' in each ? each.signal : each.refused])))
    )
  }
  out(tabulate(['SIGNAL', 'DECISION', 'SCORE', 'CONFIDENCE', 'REGIME', 'FIRST STRUCTURE'], results.map(rowOf)))
}

async function ask(client: Pick<Client, 'get'>, path: (typeof paths)[number], symbol: string, at: string | undefined) {
  const name = path.split('/')[3]
  try {
    return { name, signal: await client.get(path, { symbol }, { at }) }
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause
    return { name, refused: { error: cause.code, message: cause.message }, cause }
  }
}

function rowOf(result: SignalResult): readonly string[] {
  if ('refused' in result) return [result.name, '-', '-', '-', result.refused.error, '-']
  const { decision, score, confidence, regime, best_structures: structures } = result.signal
  return [result.name, decision, `${score}`, confidence.toFixed(2), regime, structureOf(structures.at(0))]
}

/**
 * Formats an option structure, for example iron_condor 2026-11-27 678/665p 693/706c for 2.61. Short strikes come before
 * long ones, puts before calls.
 */
function structureOf(structure: Signal['best_structures'][number] | undefined): string {
  if (structure === undefined) return '-'
  const { structure: kind, expiry, legs, credit } = structure
  const side = (type: 'put' | 'call') => {
    const strikes = legs.filter((leg) => leg.type === type).map(({ strike }) => strike)
    return strikes.length === 0 ? [] : [`${strikes.join('/')}${type[0]}`]
  }
  return [kind, expiry, ...side('put'), ...side('call'), `for ${credit?.toFixed(2)}`].join(' ')
}
