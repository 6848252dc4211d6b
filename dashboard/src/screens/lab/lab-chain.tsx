import { useEffect, useRef } from 'preact/hooks'
import { fixed, level, price } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { shortDate } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { withLeg } from '../../state/page/legs.ts'
import {
  chainOf,
  expirations,
  legs,
  listing,
  type OptionQuote,
  picked,
  quotesOf,
  setLegs,
  underlying
} from '../../state/screens/lab-state.ts'

/** Strikes to list on each side of spot. Other strikes can be typed into a leg. */
const EACH_WAY = 40

interface Strike {
  readonly strike: number
  readonly call: OptionQuote | undefined
  readonly put: OptionQuote | undefined
}

function strikesAround(rows: readonly OptionQuote[], spot: number | undefined): readonly Strike[] {
  const by = new Map<number, Strike>()
  for (const row of rows) {
    const held = by.get(row.strike) ?? { strike: row.strike, call: undefined, put: undefined }
    by.set(row.strike, { ...held, [row.type === 'C' ? 'call' : 'put']: row })
  }
  const all = [...by.values()].sort((a, b) => a.strike - b.strike)
  const above = Math.max(0, spot === undefined ? 0 : all.findIndex(({ strike }) => strike >= spot))
  return all.slice(Math.max(0, above - EACH_WAY), above + EACH_WAY)
}

/** The chain of an expiration. A click on a bid sells, on an ask buys. */
export function Chain() {
  const expiry = picked.value
  const shown = expiry === undefined ? listing : chainOf(expiry)
  return (
    <Panel
      name="chain"
      title="Chain"
      method="implied-volatility"
      of={[listing, shown]}
      legend="press a bid to sell, an ask to buy"
      table={chainTable}
      empty={
        listing.answer.value !== undefined && expirations.value.length === 0 && !listing.isAsking.value
          ? `No options are listed for ${place.value.symbol}.`
          : undefined
      }
    >
      <Dates />
      <Quotes />
    </Panel>
  )
}

function Dates() {
  const list = useRef<HTMLElement>(null)
  const shown = picked.value
  useEffect(() => {
    const [box, link] = [list.current, list.current?.querySelector('[aria-current]')]
    if (!box || !link) return
    // Scrolls sideways only, so that the page stays where it is.
    const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()]
    box.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  }, [shown, expirations.value.length])
  return (
    <nav ref={list} class="choices" aria-label="Expirations">
      {expirations.value.map(({ expiration }) => (
        <a
          key={expiration}
          href={hrefOf({ expiry: expiration })}
          aria-current={expiration === shown ? 'true' : undefined}
        >
          {shortDate(expiration)}
        </a>
      ))}
    </nav>
  )
}

function Quotes() {
  const box = useRef<HTMLDivElement>(null)
  const expiry = picked.value
  const rows = quotesOf(expiry)
  const spot = underlying.value
  const strikes = rows === undefined ? [] : strikesAround(rows, spot)
  const below = spot === undefined ? -1 : strikes.findLastIndex(({ strike }) => strike < spot)
  const key = `${expiry} ${rows === undefined}`
  // Scrolls to spot once, not at every tick.
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>('.spot-row')
    if (row !== null && row !== undefined) box.current!.scrollTop = row.offsetTop - box.current!.clientHeight / 2
  }, [key])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll quotes" ref={box} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">IV</th>
            <th scope="col">Call bid</th>
            <th scope="col">Ask</th>
            <th scope="col">Strike</th>
            <th scope="col">Put bid</th>
            <th scope="col">Ask</th>
            <th scope="col">IV</th>
          </tr>
        </thead>
        <tbody>
          {strikes.map(({ strike, call, put }, i) => (
            <tr key={strike} class={i === below ? 'spot-row' : undefined}>
              <td class="faint">{volatility(call)}</td>
              <Side quote={call} side={-1} />
              <Side quote={call} side={1} />
              <th scope="row">{level(strike)}</th>
              <Side quote={put} side={-1} />
              <Side quote={put} side={1} />
              <td class="faint">{volatility(put)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The answer is a fraction; the table shows percent. */
function volatility(quote: OptionQuote | undefined): string {
  const { implied_vol: found = null } = quote ?? {}
  return fixed(found === null ? null : found * 100, 1)
}

/** A bid, which sells, or an ask, which buys. */
function Side({ quote, side }: { readonly quote: OptionQuote | undefined; readonly side: 1 | -1 }) {
  if (quote === undefined) return <td />
  const { type, strike, expiry } = quote
  const held = legs.value.find((each) => each.right === type && each.strike === strike && each.expiry === expiry)
  const isHeld = held !== undefined && Math.sign(held.quantity) === side
  const worth = side < 0 ? quote.bid : quote.ask
  const what = `${side < 0 ? 'Sell' : 'Buy'} the ${level(strike)} ${type === 'C' ? 'call' : 'put'}`
  return (
    <td class={isHeld ? (side < 0 ? 'held put' : 'held call') : undefined}>
      <button
        type="button"
        aria-label={`${what} at ${price(worth)}`}
        title={what}
        onClick={() => setLegs(withLeg(legs.value, { quantity: side, right: type, strike, expiry }))}
      >
        {price(worth)}
      </button>
    </td>
  )
}

function chainTable() {
  return {
    columns: ['strike (USD)', 'right', 'bid (USD)', 'ask (USD)', 'mid (USD)', 'implied volatility (fraction)', 'delta'],
    rows: (quotesOf(picked.value) ?? []).map((each) => [
      each.strike,
      each.type,
      each.bid,
      each.ask,
      each.mid,
      each.implied_vol,
      each.delta
    ])
  }
}
