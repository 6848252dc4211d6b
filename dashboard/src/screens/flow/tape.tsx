import { price, short, usd } from '../../parts/format.ts'
import { MethodLink } from '../../parts/method-link.tsx'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { clock } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { LARGE, type Print, prints, tape } from '../../state/screens/flow-state.ts'
import { Contract } from './contract.tsx'
import { Filters } from './filters.tsx'
import { type Column, fileOf, Orders } from './orders.tsx'

/** Most rows to draw. */
const MOST = 150

/** Prints, newest first. */
export function Tape() {
  const shown = tape.value
  const hasAnswer = shown.answer.value !== undefined
  const note = place.value.least === undefined ? 'newest 500 prints' : `newest 500, of ${LARGE} contracts up`
  return (
    <section class="panel tape" aria-label="Tape" {...stateOf([shown])}>
      <header class="caption">
        <h2>
          <MethodLink method="trade-side">Tape</MethodLink>
        </h2>
        <p class="legend">{note}</p>
        <Filters />
        <PanelMenu name="tape" title="Tape" table={table} />
      </header>
      <Contents
        of={[shown]}
        method="trade-side"
        empty={hasAnswer && prints.value.length === 0 ? 'No trade matches.' : undefined}
        way={['Show all trades', hrefOf({ side: undefined, right: undefined, tag: undefined, least: undefined })]}
      >
        <Rows />
      </Contents>
    </section>
  )
}

const COLUMNS: readonly Column[] = [
  ['Time'],
  ['Contract'],
  ['Side'],
  ['Size', 'n'],
  ['Price', 'n'],
  ['Bid – ask', 'n wide'],
  ['Premium', 'n']
]

function Rows() {
  return (
    <Orders columns={COLUMNS}>
      {prints.value.slice(0, MOST).map((each, i) => (
        <Row key={i} {...each} />
      ))}
    </Orders>
  )
}

const SIDES = { buy: ['call', '▲ bought'], sell: ['put', '▼ sold'], mid: ['', '– between'] } as const

function Row({ ts, strike, right, expiry, side, size, price: paid, bid, ask, premium }: Print) {
  const [tone, word] = SIDES[side]
  return (
    <tr>
      <td>{clock(Date.parse(ts))}</td>
      <th scope="row">
        <Contract {...{ strike, right, expiry }} />
      </th>
      <td class={tone}>{word}</td>
      <td class="n">{short(size)}</td>
      <td class="n">{price(paid)}</td>
      <td class="n wide">{bid === null || ask === null ? '–' : `${price(bid)} – ${price(ask)}`}</td>
      <td class="n">{usd(premium)}</td>
    </tr>
  )
}

function table() {
  return fileOf(prints.value, [
    ['bid', ({ bid }) => bid],
    ['ask', ({ ask }) => ask],
    ['premium (USD)', ({ premium }) => premium]
  ])
}
