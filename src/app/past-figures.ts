import type { Endpoint } from '../api/endpoint.ts'
import { ApiError } from '../api/error.ts'
import { loadInputs } from '../api/inputs/load.ts'
import { endingWith } from '../api/maybe-promise.ts'
import { readParameters } from '../api/params.ts'
import type { SchemaNode } from '../api/schema-node.ts'
import type { HistoryStore } from '../archive/history-store.ts'
import { createConnector } from '../connectors/registry.ts'
import { endpoints } from '../endpoints/index.ts'
import type { PastFigures } from '../jobs/export-figures.ts'
import type { FigureMaking } from '../jobs/figure-rows.ts'
import type { ExportedFigure } from '../jobs/job.ts'
import { easternDate } from '../market/eastern.ts'
import { tradeDate } from '../market/trade-date.ts'
import { type Assumptions, ratesIndexOf } from '../pricing/assumptions.ts'
import { ArchiveReader } from '../replay/archive-reader.ts'
import { FigureMaker, type FigureMakerOptions } from '../replay/figure-maker.ts'
import { ReplayMarket } from '../replay/replay-market.ts'
import type { Engine } from '../workers/engine.ts'
import { inlineEngine } from '../workers/inline.ts'

const idOf: Readonly<Record<ExportedFigure, string>> = {
  levels: 'exposure.levels',
  summary: 'exposure.summary',
  gex: 'exposure.gex',
  volatility: 'volatility.current',
  flow: 'flow.summary',
  signals: 'flow.signals'
}

/** Computes responses at past times without an HTTP host, and rows of figures over time. */
export function pastFigures(
  store: HistoryStore,
  engine: Engine,
  assumptions: Assumptions,
  confidence?: number | undefined,
  qualityFloor?: number | undefined,
  today?: FigureMakerOptions['today']
): PastFigures & FigureMaking {
  const options = { ratesIndex: ratesIndexOf(assumptions), confidence, qualityFloor }
  const archive = new ArchiveReader(store, engine, options)
  const maker = new FigureMaker({ store, engine, ...options, today })
  const { signal } = new AbortController() // never aborted: the job itself checks between two calls whether to stop
  return {
    async makeFigures(day) {
      const { made, failure } = await maker.make(day, { signal })
      return { made, failure: failure && `${failure.message}: ${(failure.cause as Error).message}` }
    },
    async makeFiguresOf(snapshots) {
      // A failure is ignored here. The end of the job tries the same snapshots again and reports what fails then.
      await maker.makeOf(snapshots, signal).catch(() => {})
    },
    async figureColumns(what) {
      return columnsOf(endpointOf(what).response as SchemaNode)
    },
    async figuresAt(what, symbol, at) {
      const endpoint = endpointOf(what)
      try {
        const params = readParameters(endpoint.params, { symbol }, {}, { today: easternDate(at) })
        const source = new ReplayMarket(archive, at, endpoint.symbols(params as never))
        const bytes = await endingWith(source.end, async () => {
          const { inputs } = await loadInputs(endpoint, params, { source, maxAge: 0, keyless: false })
          const { id, varies: caller } = endpoint
          return engine.run('answerEndpoint', { endpoint: id, params, inputs, caller, zone: 'utc', body: undefined })
        })
        return { body: new TextDecoder().decode(bytes) }
      } catch (error) {
        if (error instanceof ApiError) return { refused: error.message }
        throw error
      }
    }
  }
}

/** Does the same as `pastFigures` for a command without a running service. Everything runs on the calling thread. */
export async function figuresAlone(
  store: HistoryStore,
  {
    seed,
    assumptions,
    confidence
  }: { readonly seed: number; readonly assumptions: Assumptions; readonly confidence?: number | undefined }
): Promise<PastFigures & FigureMaking> {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  // The engine requires a connector, although archived chains never use it.
  const sources = { chains: 'synthetic', bars: 'synthetic', prints: 'synthetic' } as const
  const connector = await createConnector({ sources, values: { seed }, asOf: undefined })
  const engine = inlineEngine({ connector, assumptions, endpoints: byId })
  const today = () => tradeDate(Date.now())
  return pastFigures(store, engine, assumptions, confidence, undefined, today)
}

function endpointOf(what: ExportedFigure): Endpoint {
  return endpoints.find(({ id }) => id === idOf[what])!
}

/**
 * Paths of the single-valued fields of a response, such as exposures.net_gex. Lists are left out, because they do not
 * fit into a row. So are optional fields, which depend on parameters that exports do not set.
 */
function columnsOf(schema: SchemaNode, path: readonly string[] = []): readonly string[] {
  const [node] = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  if (node === undefined || node.type === 'array') return []
  const parts = [node, ...(node.allOf ?? [])].flatMap(({ properties, required }) =>
    Object.entries(properties ?? {}).filter(([name]) => required?.includes(name))
  )
  if (parts.length > 0) return parts.flatMap(([name, part]) => columnsOf(part, [...path, name]))
  return node.type === 'object' || path.length === 0 ? [] : [path.join('.')]
}
