import Type from 'typebox'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Timestamp, Words } from '../../api/quantity.ts'
import { type DoubtReason, doubtReasons } from '../../gate/candidate.ts'
import { type Instant, isoInstant, type Ticker } from '../../market/units.ts'
import { type AdminRoute, route } from './admin-route.ts'

/** A doubt about the chains, closes or daily bars of a symbol, as administration shows it. */
interface AdminDoubt {
  readonly symbol: Ticker
  readonly reason: DoubtReason
  readonly message: string
  readonly settledBy: string
  readonly since: Instant
}

/** Lists the symbols of which something is held back as doubtful, and takes it in spite of it if the operator says so. */
export interface DoubtControl {
  readonly doubts: readonly AdminDoubt[]
  /** Waives the doubt about a symbol for the rest of the day. Returns the doubt; undefined if there is none. */
  accept(symbol: Ticker): AdminDoubt | undefined
}

const doubtShape = Type.Object(
  {
    symbol: Type.String(),
    kind: Words(...doubtReasons),
    reason: Type.String({ description: 'a sentence about what the source says' }),
    until: Type.String({ description: 'the evidence that would end the doubt' }),
    since: Timestamp()
  },
  { title: 'SourceDoubt' }
)

export const doubtRoutes: readonly AdminRoute[] = [
  route({
    method: 'GET',
    path: '/v1/admin/doubts',
    operationId: 'listDoubts',
    summary: 'What is doubted of symbols and held back, the longest first',
    description:
      'A symbol here is served as it was before the doubt. Says since when and why, so that an operator can judge.',
    params: {},
    response: Type.Object({ doubts: Type.Array(doubtShape) }),
    errors: [],
    answer: ({ doubtControl }) => ({ doubts: doubtControl.doubts.map(doubtView) })
  }),
  route({
    method: 'POST',
    path: '/v1/admin/symbols/{symbol}/accept',
    operationId: 'acceptDoubted',
    summary: 'Takes what the source says of a symbol in spite of the doubt, until the day ends in New York',
    description:
      "For when the operator knows that a strange figure is right. Only an operator's judgement, written to the audit trail.",
    params: { symbol: symbolInPath('doubt_not_found') },
    response: doubtShape,
    errors: [],
    answer: async ({ doubtControl, accounts }, { symbol }, _body, actor) => {
      const doubt = doubtControl.accept(symbol)
      if (doubt === undefined) throw apiError('doubt_not_found')
      const { reason, message } = doubt
      await accounts.note({ actor, action: 'doubt.accept', target: symbol, detail: { kind: reason, message } })
      return doubtView(doubt)
    }
  })
]

function doubtView({ symbol, reason, message, settledBy, since }: AdminDoubt) {
  return { symbol, kind: reason, reason: message, until: settledBy, since: isoInstant(since) }
}
