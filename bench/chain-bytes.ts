import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readCboeChain } from '../src/connectors/cboe/cboe-chain.ts'
import { readByJson } from '../src/connectors/cboe/json-chain.ts'
import type { Chain } from '../src/market/chain.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { cboePayload } from './support/cboe-payload.ts'
import { type Figure, median, report } from './support/figure.ts'
import { areRecorded, recordings, synthetic } from './support/recorded-chain.ts'

// One refresh from its first byte on: payloads of the exchange to columns and to priced chains, in WebAssembly and as JSON.
// The two take turns, so that both have the same share of the machine. How V8 compiles is decided once in a process, so
// several processes measure, and their median counts.

const PROCESSES = 5
const WARM_UP = 10
const RUNS = 21

const payloads = {
  SPX: { file: '_SPX-2026-07-31', atMost: 10 },
  SPY: { file: 'SPY-2026-07-29', atMost: 5 }
} as const
type Name = keyof typeof payloads

/** The share of the time of the JSON reader that the WebAssembly reader may take. */
const MAX_SHARE_OF_JSON = 0.25

/** Milliseconds. */
interface Measured {
  readonly contracts: number
  readonly megabytes: number
  readonly first: number
  readonly quick: number
  readonly plain: number
  readonly quickPriced: number
  readonly plainPriced: number
}

async function measured(name: Name): Promise<Measured> {
  const bytes = areRecorded
    ? gunzipSync(readFileSync(`${recordings}/${payloads[name].file}.json.gz`))
    : cboePayload(await synthetic(name))
  const price = (chain: Chain) => priceChain(chain, defaultAssumptions, fittedSmile)
  const ways = {
    quick: () => readCboeChain(bytes).chain,
    plain: () => readByJson(bytes).chain,
    quickPriced: () => price(readCboeChain(bytes).chain),
    plainPriced: () => price(readByJson(bytes).chain)
  }
  const first = milliseconds(ways.quick)
  const times: Record<keyof typeof ways, number[]> = { quick: [], plain: [], quickPriced: [], plainPriced: [] }
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      const time = milliseconds(ways[way])
      if (run >= 0) times[way].push(time)
    }
  }
  const { quick, plain, quickPriced, plainPriced } = times
  return {
    contracts: ways.quick().size,
    megabytes: bytes.length / 1e6,
    first,
    quick: median(quick),
    plain: median(plain),
    quickPriced: median(quickPriced),
    plainPriced: median(plainPriced)
  }
}

function milliseconds(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

/** Figures that several fresh processes measured. */
function inProcesses(name: Name): readonly Measured[] {
  const file = fileURLToPath(import.meta.url)
  return Array.from({ length: PROCESSES }, () => {
    const printed = execFileSync(process.execPath, [...process.execArgv, file, 'measure', name], { encoding: 'utf8' })
    return JSON.parse(printed) as Measured
  })
}

export function run(): readonly Figure[] {
  if (!areRecorded) console.log('no recorded payloads beside the project: synthetic ones stand in')
  return (Object.keys(payloads) as Name[]).flatMap((name): readonly Figure[] => {
    const all = inProcesses(name)
    const of = (figure: (measured: Measured) => number) => median(all.map(figure))
    const [{ contracts, megabytes }] = all
    return [
      {
        name: `${name}, ${contracts} contracts: payload of ${megabytes.toFixed(1)} MB to columns`,
        value: of(({ quick }) => quick),
        unit: `ms (median of ${PROCESSES} processes)`,
        atMost: payloads[name].atMost
      },
      { name: 'the same as JSON', value: of(({ plain }) => plain), unit: 'ms' },
      {
        name: 'share of the one in the other',
        value: of(({ quick, plain }) => quick / plain),
        unit: '',
        atMost: MAX_SHARE_OF_JSON
      },
      { name: 'the first payload of a process', value: of(({ first }) => first), unit: 'ms' },
      { name: `${name}: payload to priced chain`, value: of(({ quickPriced }) => quickPriced), unit: 'ms' },
      { name: 'the same as JSON', value: of(({ plainPriced }) => plainPriced), unit: 'ms' }
    ]
  })
}

if (process.argv[2] === 'measure') process.stdout.write(JSON.stringify(await measured(process.argv[3] as Name)))
else await report(import.meta.url, run)
