import { writeFileSync } from 'node:fs'
import { type Config, ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { connectors, createConnector } from '../../connectors/registry.ts'
import { type Chain, chainOfRoot } from '../../market/chain.ts'
import { parentOfRoot, readSymbol } from '../../market/security.ts'
import { type IsoDate, parseIsoDate, type Ticker } from '../../market/units.ts'
import type { PlotOption } from '../../plots/plot-frame.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { CliCommand, Invocation } from '../command.ts'

const flags = { out: { value: 'file', help: 'file for the picture (default: standard output)' } }
const ofConnectors = connectors.flatMap((connector) => Object.keys(connector.settings))
const named = ['source', ...ofConnectors, 'as-of', 'clock', 'rate', 'dividend-yield']
const marketSettings = Object.fromEntries(named.map((name) => [name, settings[name]]))

export const plotCommands: readonly CliCommand[] = [
  {
    name: 'plot smile',
    positionals: ['symbol', 'expiration'],
    summary: 'draw the quotes and the fitted smile of one expiration, as SVG',
    flags,
    settings: marketSettings,
    async run(invocation) {
      const date = parseIsoDate(invocation.positionals[1])
      if (date === undefined) {
        throw new ConfigError([`expiration must be a date yyyy-MM-dd; it is ${invocation.positionals[1]}`])
      }
      const { smilePicture } = await import('../../plots/smile-picture.ts')
      const { smileOption } = await import('../../plots/smile-plot.ts')
      const { slices } = await import('../../volatility/smile/slice.ts')
      await draw(invocation, (chain, source) => {
        const picture = smilePicture(chain, date)
        if (picture === undefined) {
          throw new ConfigError([
            notLive(
              chain,
              date,
              slices(chain).map((slice) => slice.date)
            )
          ])
        }
        return smileOption(picture, source)
      })
    }
  },
  {
    name: 'plot term',
    positionals: ['symbol'],
    summary: 'draw the at-the-money term structure of a chain, as SVG',
    flags,
    settings: marketSettings,
    async run(invocation) {
      const { termOption, termPicture } = await import('../../plots/term-plot.ts')
      await draw(invocation, (chain, source) => {
        const picture = termPicture(chain)
        if (picture === undefined) throw new ConfigError([`no live options are listed on ${chain.symbol}`])
        return termOption(picture, source)
      })
    }
  },
  {
    name: 'plot gamma',
    positionals: ['symbol'],
    summary: 'draw net gamma exposure by strike, with flip and walls, as SVG',
    flags,
    settings: marketSettings,
    async run(invocation) {
      const { gammaOption, gammaPicture } = await import('../../plots/gamma-plot.ts')
      await draw(invocation, (chain, source) => {
        const picture = gammaPicture(chain)
        if (picture === undefined) throw new ConfigError([`no strike of ${chain.symbol} near spot has open interest`])
        return gammaOption(picture, source)
      })
    }
  }
]

/** Draws the requested chain as SVG. Loads large modules that no other command needs. */
async function draw(
  { config, positionals, flags: { out }, terminal }: Invocation,
  option: (chain: PricedChain, source: string) => PlotOption
): Promise<void> {
  const { chain, connector } = await chainFor(positionals[0], config)
  const picture = option(chain, connector.synthetic ? `${connector.name}, made up` : connector.name)
  const { svgOf } = await import('../../plots/svg.ts')
  const svg = svgOf(picture)
  if (typeof out !== 'string') return terminal.out(svg)
  writeFileSync(out, `${svg}\n`, { mode: 0o600 })
  terminal.err(`wrote ${out}`)
}

async function chainFor(text: string, config: Config): Promise<{ chain: PricedChain; connector: Connector }> {
  const symbol = readSymbol(text)
  if (symbol === undefined) throw new ConfigError([`symbol must be a ticker such as SPY; it is ${text}`])
  const { marketClock, sourceSettings } = await import('../../app/source-choice.ts')
  const { priceChain } = await import('../../pricing/price-chain.ts')
  const { fittedSmile } = await import('../../volatility/smile/smile-volatility.ts')
  const connector = await createConnector(sourceSettings(config))
  const now = marketClock(config, connector)()
  const parent = parentOfRoot(symbol) ?? symbol
  const whole = await connector.chain(parent, now, AbortSignal.timeout(60_000))
  const chain = whole && partOf(whole, symbol)
  if (chain === undefined) throw new ConfigError([unknown(symbol, connector)])
  if (chain.size === 0) throw new ConfigError([`no options are listed on ${symbol}`])
  return { chain: priceChain(chain, config.assumptions, fittedSmile), connector }
}

const partOf = (chain: Chain, symbol: Ticker) => (chain.symbol === symbol ? chain : chainOfRoot(chain, symbol))

const MAX_NAMED = 20

function unknown(symbol: Ticker, { name, tickers }: Connector): string {
  const more = tickers.length > MAX_NAMED ? ` and ${tickers.length - MAX_NAMED} more` : ''
  return `${name} knows nothing of ${symbol}; it lists ${tickers.slice(0, MAX_NAMED).join(', ')}${more}`
}

/**
 * Error for an expiration that has expired or is not listed. The message lists the live expirations only: an expired
 * one stays in the chain until midnight.
 */
function notLive({ symbol, expirations }: PricedChain, date: IsoDate, live: readonly IsoDate[]): string {
  const ended = expirations.some((listed) => listed.date === date) ? ': what was listed on it has ended' : ''
  return `${symbol} has no live expiration on ${date}${ended}; it lists ${live.join(', ') || 'no other'}`
}
