import Type from 'typebox'
import { moment } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name, Timestamp, Usd } from '../../../api/quantity.ts'
import { dealerPremium } from '../../../flow/windows/premium.ts'
import { minuteBuckets } from '../../../flow/windows/window-buckets.ts'
import { isoInstant } from '../../../market/units.ts'
import { expiryAsked } from '../expiry-asked.ts'
import { minutesUntil } from '../minutes-until.ts'
import { historyMinutes, ofOptions } from '../tape-parameters.ts'

export const optionDealerPremium = endpoint({
  id: 'flow.options_dealer_premium',
  path: '/v1/flow/options/{symbol}/dealer-premium',
  tag: 'flow',
  summary: 'Net premium dealers paid or wrote over the whole tape',
  description: 'Whether dealers took in or paid premium over the whole tape, calls and puts apart.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'optionMinutes', 'minute'],
  minutesRead: (params) => params.windowMinutes - 1,
  params: { ...ofOptions, windowMinutes: historyMinutes(240) },
  replay: true,
  stream: true,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the moment the answer describes, UTC', moment),
    window_minutes: Count('minutes of the window, the current one included'),
    expiry: expiryAsked,
    dealer_buy_premium: Usd('paid for what customers sold', { minimum: 0 }),
    dealer_write_premium: Usd('received for what customers bought', { minimum: 0 }),
    net_dealer_premium: Usd('paid less received'),
    total_premium: Usd('paid and received; prints without a side are in neither', { minimum: 0 }),
    trade_count: Count('all prints of the window', { minimum: 0 }),
    bucket_count: Count('minutes with a print', { minimum: 0 })
  }),
  answer: ({ tapeSubject, optionMinutes, minute }, { symbol, expiry, windowMinutes }) => {
    const buckets = minuteBuckets(optionMinutes, minutesUntil(minute, windowMinutes), expiry)
    const { bought, written, net, total } = dealerPremium(buckets)
    return {
      symbol,
      as_of: isoInstant(newestOf([tapeSubject?.asOf, optionMinutes.at(-1)!.known]) ?? minute),
      window_minutes: windowMinutes,
      expiry,
      dealer_buy_premium: bought,
      dealer_write_premium: written,
      net_dealer_premium: net,
      total_premium: total,
      trade_count: buckets.reduce((sum, { trades }) => sum + trades, 0),
      bucket_count: buckets.length
    }
  }
})

function newestOf(moments: readonly (number | undefined)[]): number | undefined {
  const there = moments.filter((one) => one !== undefined)
  return there.length === 0 ? undefined : Math.max(...there)
}
