import { price, short, usd } from '../../parts/format.ts'
import { MethodLink } from '../../parts/method-link.tsx'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { clock } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { TAGS } from '../../state/page/place.ts'
import { chosenSignals, type Signal, signals } from '../../state/screens/flow-state.ts'
import { Contract } from './contract.tsx'
import { Choice } from './filters.tsx'
import { type Column, fileOf, Orders } from './orders.tsx'

/** Notable orders, best score first. */
export function Signals() {
  const { tag } = place.value
  return (
    <section class="panel signals" aria-label="Signals" {...stateOf([signals])}>
      <header class="caption">
        <h2>
          <MethodLink method="flow-signals">Signals</MethodLink>
        </h2>
        <p class="legend">best of the last four hours</p>
        <div class="filters">
          <Choice
            name="Tag"
            options={[['', 'any tag'], ...TAGS.map((each) => [each, each] as const)]}
            value={tag}
            choose={(value) => turn({ tag: TAGS.find((each) => each === value) })}
          />
        </div>
        <PanelMenu name="signals" title="Signals" table={table} />
      </header>
      <Contents of={[signals]} empty={emptyOf(signals.answer.value?.count)}>
        <Rows />
      </Contents>
    </section>
  )
}

/** Why no signal is listed. `count`: signals in the answer, before filters. */
function emptyOf(count: number | undefined): string | undefined {
  if (count === 0) return 'No large orders in the last four hours.'
  return count !== undefined && chosenSignals.value.length === 0 ? 'No signal matches.' : undefined
}

/** Most rows to draw. */
const MOST = 80

const COLUMNS: readonly Column[] = [['Score', 'n'], ['Contract'], ['Read as'], ['Premium', 'n']]

function Rows() {
  return (
    <Orders columns={COLUMNS}>
      {chosenSignals.value.slice(0, MOST).map((each) => (
        <Row key={`${each.ts}${each.strike}${each.right}${each.expiry}`} {...each} />
      ))}
    </Orders>
  )
}

const INTENTS = {
  bullish: ['call', '▲ bullish'],
  bearish: ['put', '▼ bearish'],
  neutral: ['', '– neutral']
} as const

function Row({ ts, strike, right, expiry, intent, score, size, price: paid, side, premium, tags }: Signal) {
  const [tone, word] = INTENTS[intent]
  const verb = side === 'buy' ? 'bought' : side === 'sell' ? 'sold' : 'between'
  return (
    <tr>
      <td class="n">
        <i class="score" style={{ '--share': `${score}%` }} /> {score}
      </td>
      <th scope="row">
        <Contract {...{ strike, right, expiry }} />
        <small>
          {clock(Date.parse(ts), false)}, {short(size)} {verb} at {price(paid)}
        </small>
      </th>
      <td class={tone}>
        {word}
        <small>{tags.join(' ')}</small>
      </td>
      <td class="n">{usd(premium)}</td>
    </tr>
  )
}

function table() {
  return fileOf(chosenSignals.value, [
    ['premium (USD)', ({ premium }) => premium],
    ['structure', ({ structure }) => structure],
    ['intent', ({ intent }) => intent],
    ['score', ({ score }) => score],
    ['tags', ({ tags }) => tags.join(' ')]
  ])
}
