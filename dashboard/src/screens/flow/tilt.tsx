import type { AnswerOf } from 'gammawall/client'
import { Figure } from '../../parts/figure.tsx'
import { NONE, percent, short, usd } from '../../parts/format.ts'
import { Contents, PartWord, stateOf } from '../../parts/panel.tsx'
import { place } from '../../state/page/address.ts'
import { risk, sums, tilt } from '../../state/screens/flow-state.ts'

type Found = AnswerOf<'/v1/flow/signals/{symbol}/summary'>

function leanOf(found: Found | undefined): readonly [tone: string, word: string] {
  if (found === undefined) return ['', NONE]
  if (found.signal_count === 0) return ['', 'No large orders yet']
  const net = found.net_directional_premium
  if (net === 0) return ['', 'Flow is even']
  return net > 0 ? ['calm', 'Flow leans bullish'] : ['wild', 'Flow leans bearish']
}

/** Direction of the day's premium, and its effect on dealer gamma. */
export function Tilt() {
  const [tone, word] = leanOf(tilt.answer.value)
  return (
    <section class={`regime ${tone}`} aria-label="Tilt of the flow" {...stateOf([risk, tilt])}>
      <p class="word">
        <b>{word}</b>
        <span>{risk.answer.value?.description}</span> <PartWord of={[risk, tilt, sums]} />
      </p>
      <Contents of={[risk]}>
        <Figures />
      </Contents>
    </section>
  )
}

function Figures() {
  const [found, leaning, tape] = [risk.answer.value, tilt.answer.value, sums.answer.value]
  const shift = found?.flow_gex_pct_shift
  const net = leaning?.net_directional_premium
  return (
    <dl class="figures" tabIndex={0}>
      <Figure
        name="Net premium"
        method="flow-signals"
        value={usd(net, net ? 'signed' : 'plain')}
        note="bullish less bearish"
        tone={!net ? undefined : net < 0 ? 'put' : 'call'}
      />
      <Figure name="Bullish" method="flow-signals" value={usd(leaning?.bullish_premium)} note="premium" tone="call" />
      <Figure name="Bearish" method="flow-signals" value={usd(leaning?.bearish_premium)} note="premium" tone="put" />
      <Figure
        name="Opening"
        method="flow-signals"
        value={usd(leaning?.opening_premium)}
        note={`closing ${usd(leaning?.closing_premium)}`}
      />
      <Figure
        name="Contracts"
        method="trade-side"
        value={short(tape?.netVolume, tape?.netVolume ? 'signed' : 'plain')}
        note={`${short(tape?.buyVolume)} bought, ${short(tape?.sellVolume)} sold`}
      />
      <Figure
        name="GEX with flow"
        of={place.value.expiry === undefined ? { card: 'flow.net_gex_live' } : undefined}
        method="estimated-positions"
        value={usd(found?.live_net_gex)}
        note={shift === null || shift === undefined ? undefined : `${percent(shift * 100, 'signed', 0)} on the morning`}
      />
    </dl>
  )
}
