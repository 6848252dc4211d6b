import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { IndexPoints, Nullable, Percent, Ratio, Sentence, Timestamp, Words } from '../../api/quantity.ts'
import { vixPremium, vixStates } from '../../macro/vix-state.ts'
import { closeOfBar } from '../../market/bar.ts'
import { isoInstant, type Ticker } from '../../market/units.ts'
import { closeToClose, usableBars } from '../../volatility/realized/realized.ts'
import { vixReading } from '../../wording/volatility-readings.ts'

export const vixState = endpoint({
  id: 'macro.vix_state',
  path: '/v1/macro/vix-state',
  tag: 'volatility',
  summary: 'The VIX against 20-day realized volatility of the S&P 500',
  description: 'Whether the VIX is high or low for what the index does, with a word for the state.',
  plan: 'growth',
  needs: ['vixQuote', 'bars'],
  barsRead: () => 60,
  symbols: () => ['SPX' as Ticker],
  absent: ['no_rv_data', 'no_rv_data'],
  params: {},
  errors: ['no_vix', 'no_rv_data'],
  replay: true,
  stream: true,
  response: Type.Object({
    as_of: Timestamp('the newer of the quote of the VIX and the last close of SPX, UTC', moment),
    vix: IndexPoints(),
    spx_rv_20d: Percent('close to close'),
    spread: Percent('vix minus spx_rv_20d, vol points'),
    ratio: Nullable(Ratio('vix over spx_rv_20d')),
    state: Words(...vixStates),
    interpretation: Sentence()
  }),
  answer: ({ vixQuote, bars }) => {
    if (vixQuote === undefined) throw apiError('no_vix')
    const usable = usableBars(bars)
    const deviation = closeToClose(usable, 20)
    if (deviation === undefined) throw apiError('no_rv_data', 'SPX has fewer than 21 daily bars')
    const [vix, realized] = [vixQuote.spot, 100 * deviation]
    const { spread, ratio, state } = vixPremium(vix, realized)
    return {
      as_of: isoInstant(Math.max(vixQuote.asOf, closeOfBar(usable[usable.length - 1]))),
      vix,
      spx_rv_20d: realized,
      spread,
      ratio,
      state,
      interpretation: vixReading(state, vix, realized)
    }
  }
})
