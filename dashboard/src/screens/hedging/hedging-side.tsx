import { AnswerWords, DefaultWords, fileWords } from '../../parts/answer-words.tsx'
import { percent, price } from '../../parts/format.ts'
import { Caption, Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { place, turn } from '../../state/page/address.ts'
import { FARTHEST_MOVE, FARTHEST_VOL, MOVE_STEP, type When } from '../../state/page/place.ts'
import { base, chosen, exposureAt, moved, type PriceExposure } from '../../state/screens/hedging-state.ts'
import { narrative } from '../../state/screens/overview-state.ts'
import { CardPlace } from '../card/card-place.tsx'
import { onRally, onTime, onVolatility } from './acts.ts'

/** Sliders, hedging at several prices, and the narrative of the service. */
export function Side() {
  return (
    <section class="panel side" aria-label="Setting and hedges" {...stateOf([base, moved])}>
      <Caption title="What if">
        <button type="button" class="reset" onClick={() => turn({ move: 0, vol: 0, when: 'now' })}>
          Reset
        </button>
      </Caption>
      <Setting />
      <CardPlace>
        <Caption title="Dealers trade" method="hedging">
          <AnswerWords of={[base]} />
          <PanelMenu name="hedges" title="What dealers trade" table={table} words={fileWords([base])} />
        </Caption>
        <Contents of={[base]}>
          <Hedges />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
          <div class="scroll words" tabIndex={0}>
            <DefaultWords of="words" />
            <p>{narrative.answer.value?.narrative.vanna}</p>
            <p>{narrative.answer.value?.narrative.charm}</p>
          </div>
        </Contents>
      </CardPlace>
    </section>
  )
}

const WHENS: readonly (readonly [when: When, name: string])[] = [
  ['now', 'Now'],
  ['close', 'Close'],
  ['next_open', 'Next open']
]

function Setting() {
  const { move, vol, when } = place.value
  return (
    <div class="setting">
      <label>
        <span>Price</span>
        <input
          type="range"
          min={-FARTHEST_MOVE}
          max={FARTHEST_MOVE}
          step={MOVE_STEP}
          value={move}
          aria-valuetext={`${price(chosen.value?.price)}, ${percent(move, 'signed', 2)}`}
          onInput={(event) => turn({ move: Number(event.currentTarget.value) })}
        />
        <output>{percent(move, 'signed', 2)}</output>
      </label>
      <label>
        <span>Volatility</span>
        <input
          type="range"
          min={-FARTHEST_VOL}
          max={FARTHEST_VOL}
          step={1}
          value={vol}
          aria-valuetext={`${vol} points`}
          onInput={(event) => turn({ vol: Number(event.currentTarget.value) })}
        />
        <output>
          {vol > 0 ? '+' : vol < 0 ? '−' : ''}
          {Math.abs(vol)} pts
        </output>
      </label>
      <fieldset class="chosen">
        <legend>Time</legend>
        {WHENS.map(([id, name]) => (
          <button key={id} type="button" aria-pressed={id === when} onClick={() => turn({ when: id })}>
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

/** Moves that the table always lists, percent. */
const MOVES = [3, 2, 1, 0.5, 0, -0.5, -1, -2, -3]

function exposures(): readonly PriceExposure[] {
  const moves = [...new Set([...MOVES, place.value.move])].sort((a, b) => b - a)
  return moves.flatMap((move) => exposureAt(move) ?? [])
}

function Hedges() {
  return (
    <table class="stands">
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col" class="n">
            1 % up
          </th>
          <th scope="col" class="n">
            1 vol point up
          </th>
          <th scope="col" class="n">
            a day
          </th>
        </tr>
      </thead>
      <tbody>
        {exposures().map((each) => (
          <tr key={each.move} class={each.move === place.value.move ? 'here' : undefined}>
            <th scope="row">
              {price(each.price)} <small>{each.move === 0 ? 'spot' : percent(each.move)}</small>
            </th>
            <Cell text={onRally(each)} />
            <Cell text={onVolatility(each)} />
            <Cell text={onTime(each)} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ text }: { readonly text: string }) {
  return <td class={`n ${text.startsWith('buy') ? 'call' : 'put'}`}>{text}</td>
}

function table() {
  return {
    columns: ['price (USD)', 'move (%)', 'gex (USD per 1 %)', 'vanna (USD per vol point)', 'charm (USD a day)'],
    rows: exposures().map((each) => [each.price, each.move, each.gex, each.vexPerPoint, each.chex])
  }
}
