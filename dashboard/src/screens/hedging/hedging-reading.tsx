import { DealerChoice } from '../../parts/dealer-choice.tsx'
import { ExpirationChoice } from '../../parts/expiration-choice.tsx'
import { Figure } from '../../parts/figure.tsx'
import { level, NONE, percent, price, usd } from '../../parts/format.ts'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { place } from '../../state/page/address.ts'
import type { Explained, When } from '../../state/page/place.ts'
import { base, chosen, isMoved, moved, type PriceExposure, shown } from '../../state/screens/hedging-state.ts'
import { levels } from '../../state/screens/overview-state.ts'
import { onRally, onTime, onVolatility } from './acts.ts'

const MOMENTS: Readonly<Record<When, string>> = { now: '', close: 'At the close, ', next_open: 'At the next open, ' }

/** Describes the setting and its consequence. */
function sentenceOf(at: PriceExposure): string {
  const { vol, when } = place.value
  const where = at.move === 0 ? `at ${price(at.price)}` : `at ${price(at.price)} (${percent(at.move, 'signed', 2)})`
  const shift =
    vol === 0
      ? ''
      : ` with volatility ${vol > 0 ? 'up' : 'down'} ${Math.abs(vol)} ${Math.abs(vol) === 1 ? 'point' : 'points'}`
  const dips = at.gex === 0 ? '' : `, and ${at.gex > 0 ? 'buy' : 'sell'} as much if it falls 1\u2009%`
  const sentence = `${MOMENTS[when]}${where}${shift} dealers ${onRally(at)} if the price rises another 1\u2009%${dips}. A volatility point up makes them ${onVolatility(at)}, a day passing ${onTime(at)}.`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Hedging at the chosen price, as a sentence and as figures. */
export function Reading() {
  const at = chosen.value
  const tone = at === undefined || at.gex === 0 ? '' : at.gex > 0 ? 'calm' : 'wild'
  const word = at === undefined || at.gex === 0 ? NONE : at.gex > 0 ? 'Dealers dampen moves' : 'Dealers amplify moves'
  return (
    <section class={`regime ${tone}`} aria-label="Hedging at the chosen price" {...stateOf([base, moved])}>
      <p class="word">
        <b>{word}</b>
        <span role="status">{at === undefined ? '' : sentenceOf(at)}</span>
      </p>
      <div class="assumed">
        <DealerChoice />
        <ExpirationChoice of={base} />
      </div>
      <Contents of={[base]}>
        <Figures />
      </Contents>
    </section>
  )
}

function Figures() {
  const [at, flips] = [chosen.value, shown.value?.crossings ?? []]
  const below = flips.findLast((each) => each < (at?.price ?? 0))
  const above = flips.find((each) => each >= (at?.price ?? Number.POSITIVE_INFINITY))
  const away = (flip: number | undefined) =>
    flip === undefined || at === undefined ? 'within 10\u2009%: none' : `${percent((flip / at.price - 1) * 100)} away`
  // The service explains the market as it stands, not what the sliders suppose.
  const ofNow = (card: Explained) => (isMoved.value || place.value.move !== 0 ? undefined : { card })
  const flip = levels.answer.value?.levels.gamma_flip
  const ofFlip = (price: number | undefined) => (price === flip ? ofNow('gamma_flip') : undefined)
  return (
    <dl class="figures" tabIndex={0}>
      <Figure
        name="Gamma"
        of={ofNow('net_gex')}
        method="gamma-exposure"
        value={usd(at?.gex)}
        note="per 1 % move"
        tone={(at?.gex ?? 0) < 0 ? 'put' : 'call'}
      />
      <Figure
        name="Flip below"
        of={ofFlip(below)}
        method="gamma-flip"
        value={level(below)}
        note={away(below)}
        tone="flip"
      />
      <Figure
        name="Flip above"
        of={ofFlip(above)}
        method="gamma-flip"
        value={level(above)}
        note={away(above)}
        tone="flip"
      />
      <Figure
        name="Vanna"
        of={ofNow('net_vex')}
        method="vanna-exposure"
        value={usd(at?.vexPerPoint)}
        note="per vol point"
      />
      <Figure
        name="Charm"
        of={ofNow('net_chex')}
        method="charm-exposure"
        value={usd(at?.chex)}
        note="a day; 0DTE to the close"
      />
    </dl>
  )
}
