import { fixed, level, price } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { spot } from '../../state/day/day.ts'
import { dayOf } from '../../state/day/time.ts'
import { hrefOf } from '../../state/page/address.ts'
import type { Signal } from '../../state/page/place.ts'
import { type Found, legsOfStructure, SIGNAL_NAMES, type Structure, signals } from '../../state/screens/ideas-state.ts'

const words = (text: string) => text.replaceAll('_', ' ')

/** A signal of a strategy: why, when not, and the structures that follow from it. */
export function IdeaPanel({ name }: { readonly name: Signal }) {
  const { found } = signals.find((each) => each.name === name)!
  const answer = found.answer.value
  return (
    <Panel
      name="idea"
      title={SIGNAL_NAMES[name]}
      method={`signal-${name}`}
      of={[found]}
      legend={
        answer && (
          <>
            score {fixed(answer.score, 0)} of 100, sure {fixed(100 * answer.confidence, 0)} %, data{' '}
            {fixed(answer.data_quality.score, 0)}, {words(answer.regime)}
          </>
        )
      }
      table={() => structureTable(answer?.best_structures ?? [])}
    >
      {answer !== undefined && <Reasons answer={answer} name={name} />}
    </Panel>
  )
}

function Reasons({ answer, name }: { readonly answer: Found; readonly name: Signal }) {
  const { why, avoid_if: avoid, risk_flags: risks, best_structures: structures } = answer
  const [best] = structures
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll words" tabIndex={0}>
      <p class="acts">
        {best !== undefined && (
          <a
            class="primary plain"
            href={hrefOf({ screen: 'lab', idea: undefined, legs: legsOfStructure(best), expiry: best.expiry })}
          >
            Open in Lab
          </a>
        )}
        <a class="primary plain" href={hrefOf({ screen: 'alerts', idea: undefined, watch: name })}>
          Tell me when it changes
        </a>
      </p>
      <List title="Why" sentences={why} />
      <List title="Not if" sentences={avoid} />
      <List title="Risks" sentences={risks.map(({ message }) => message)} />
      {best === undefined ? (
        <p>No structure follows from this signal now.</p>
      ) : (
        structures.map((structure) => <StructureRows key={structure.rank} structure={structure} />)
      )}
      <p class="remark">A description of what is quoted, no advice.</p>
    </div>
  )
}

function List({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {sentences.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </>
  )
}

function StructureRows({ structure }: { readonly structure: Structure }) {
  const { rank, structure: kind, expiry, credit, max_profit: most, max_loss: least, legs } = structure
  return (
    <section>
      <h3>
        {rank}. {words(kind)}, {dayOf(expiry)}{' '}
        <small>
          credit {price(credit)}, most {price(most)}, least {price(-least)} a share
        </small>
      </h3>
      {rank === 1 && <Payoff structure={structure} />}
      <table class="facts">
        <tbody>
          {legs.map(({ action, quantity, strike, type, premium, delta }) => (
            <tr key={`${action} ${type} ${strike}`}>
              <th scope="row">
                <b class={action === 'sell' ? 'put' : 'call'}>{action}</b> {quantity} × {level(strike)} {type}
              </th>
              <td class="n">{price(premium)}</td>
              <td class="n note">Δ {fixed(delta, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Size of the picture, and room beside the outer strikes, as a share of their distance from spot. */
const [WIDTH, HEIGHT] = [600, 130] as const
const ROOM = 1.6

/** The payoff at expiry from strike to strike, with the price of now. */
function Payoff({ structure: { legs, credit, structure: kind } }: { readonly structure: Structure }) {
  const now = spot.value
  if (now === undefined) return null
  const strikes = [...new Set(legs.map(({ strike }) => strike))].sort((a, b) => a - b)
  const half = ROOM * Math.max(...strikes.map((strike) => Math.abs(strike - now)), now / 100)
  const value = (at: number) =>
    legs.reduce(
      (sum, { action, type, strike, quantity }) =>
        sum + (action === 'sell' ? -quantity : quantity) * Math.max(0, type === 'call' ? at - strike : strike - at),
      (credit ?? 0) + (kind === 'covered_call' ? at - now : 0)
    )
  const points = [now - half, ...strikes, now + half].map((at) => [at, value(at)] as const)
  const values = [0, ...points.map(([, each]) => each)]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (at: number) => Math.round(((at - now + half) / (2 * half)) * WIDTH)
  const y = (each: number) => Math.round(HEIGHT - 10 - ((each - low) / (high - low || 1)) * (HEIGHT - 20))
  return (
    <svg class="idea-payoff" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="zero" d={`M0 ${y(0)}H${WIDTH}`} />
      <path class="spot-line" d={`M${WIDTH / 2} 0V${HEIGHT}`} />
      <path class="pays" d={points.map(([at, each], i) => `${i === 0 ? 'M' : 'L'}${x(at)} ${y(each)}`).join('')} />
    </svg>
  )
}

function structureTable(structures: readonly Structure[]) {
  return {
    columns: ['rank', 'structure', 'expiry', 'action', 'quantity', 'type', 'strike', 'premium (USD)', 'delta'],
    rows: structures.flatMap(({ rank, structure, expiry, legs }) =>
      legs.map((leg) => [
        rank,
        structure,
        expiry,
        leg.action,
        leg.quantity,
        leg.type,
        leg.strike,
        leg.premium,
        leg.delta
      ])
    )
  }
}
