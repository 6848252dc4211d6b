import { level, withNoun } from '../wording/format.ts'
import { fitReading } from '../wording/volatility-readings.ts'
import { axis, dayInWords, frame, legend, type PlotOption, scale, sourceLine } from './plot-frame.ts'
import { bidToAsk, curveLayer, dots, flagMarks, priceMarks } from './smile-layers.ts'
import type { QuotedVolatility, SmilePicture } from './smile-picture.ts'

/**
 * Quotes are shown up to this distance beyond the fitted ones, as a fraction of the distance between the outermost
 * fitted quotes.
 */
const REACH = 0.04

/** Draws the smile of one expiration: quotes with bars from bid to ask, the fitted curve, forward and spot. */
export function smileOption(picture: SmilePicture, source: string): PlotOption {
  const { slice, curve, flags, quotes } = picture
  const across = strikesShown(picture)
  const within = ({ strike }: { readonly strike: number }) => strike >= across.min && strike <= across.max
  const shown = quotes.filter(within)
  const used = shown.filter((quote) => quote.used)
  const visible = flags.filter(within)
  const layers = [
    bidToAsk(shown),
    dots(
      'put',
      used.filter(({ right }) => right === 'put')
    ),
    dots(
      'call',
      used.filter(({ right }) => right === 'call')
    ),
    dots(
      'not fitted',
      shown.filter((quote) => !quote.used)
    ),
    curveLayer(slice.svi === undefined ? 'between quotes' : 'SVI fit', curve),
    flagMarks(visible)
  ]
  const up = scale(heightsOf(used.length > 0 ? used : shown, curve)) ?? { min: 0, max: 100, interval: 20 }
  return {
    ...frame(`${picture.symbol} smile, expiration ${dayInWords(slice.date)}`, [
      `${describe(picture)} · ${sourceLine(picture.asOf, source)}`,
      [fitReading(slice), ...flagReading(picture, flags.length - visible.length)].join(' ')
    ]),
    legend: legend(layers),
    xAxis: axis('strike', 'x', {
      ...across,
      axisLabel: { showMinLabel: false, showMaxLabel: false, formatter: level }
    }),
    yAxis: axis('implied volatility, %', 'y', up),
    series: [...layers.map(({ series }) => series), priceMarks(picture, up)]
  }
}

function describe({ slice, spot, root, symbol, settlement }: SmilePicture): string {
  const days = withNoun(slice.days, 'day')
  const listing = root === symbol && settlement === 'pm' ? '' : ` · ${root}, settled ${settlement.toUpperCase()}`
  return `${days} · spot ${level(spot)} · forward ${level(slice.forward)}${listing}`
}

function flagReading({ slice, flags }: SmilePicture, beyond: number): readonly string[] {
  if (slice.svi === undefined) return []
  const many = flags.length
  if (many === 0) return ['No arbitrage on the fitted curve.']
  const where = beyond === 0 ? '' : beyond === many ? ', beyond these strikes' : `, ${beyond} beyond these strikes`
  return [`${withNoun(many, 'arbitrage flag')} on the fitted curve${where}.`]
}

/** Range of strikes to show: that of the fitted quotes with a margin, or of all quotes if none was fitted. */
function strikesShown({ quotes, curve, spot }: SmilePicture): { min: number; max: number } {
  const used = quotes.filter((quote) => quote.used)
  const strikes = (used.length > 1 ? used : quotes).map(({ strike }) => strike).concat(curve.map(([strike]) => strike))
  if (strikes.length < 2) return { min: 0.9 * spot, max: 1.1 * spot }
  const [least, most] = [Math.min(...strikes), Math.max(...strikes)]
  const pad = REACH * (most - least)
  return { min: least - pad, max: most + pad }
}

/** Volatilities that the vertical axis must cover. Bars of quotes that were not fitted may be cut off. */
function heightsOf(quotes: readonly QuotedVolatility[], curve: SmilePicture['curve']): readonly number[] {
  const bars = quotes.flatMap(({ bid, mid, ask }) => [bid ?? mid, ask ?? mid])
  return [...bars, ...curve.map(([, iv]) => iv)]
}
