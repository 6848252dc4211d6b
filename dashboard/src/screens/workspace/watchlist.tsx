import { useEffect } from 'preact/hooks'
import { NONE, percent, price, usd } from '../../parts/format.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { at, go, place } from '../../state/page/address.ts'
import { stars } from '../../state/page/stars.ts'
import { listedSymbols, startWatching, watched, watchTrouble } from '../../state/workspace/watchlist-state.ts'
import { panels, setPanel } from '../../state/workspace/workspace-state.ts'
import { DRAGGED } from './tile.tsx'

/** Shows the symbol of the row in focus in a panel: keys 1 to 9. */
function press(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event
  const rows = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>('tbody button')]
  const row = rows.indexOf(target as HTMLElement)
  if (row < 0) return
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  if (step !== undefined) rows[row + step]?.focus()
  else if (/^[1-9]$/.test(key) && panels.peek()[Number(key) - 1] !== undefined)
    setPanel(Number(key) - 1, { symbol: listedSymbols.peek()[row]! })
  else return
  event.preventDefault()
}

/** The reader's symbols with their figures of now. */
export function Watchlist() {
  useEffect(() => startWatching(), [])
  const symbols = listedSymbols.value
  return (
    <section class="panel watchlist" aria-label="Watchlist" onKeyDown={press}>
      <header class="caption">
        <h2>Watchlist</h2>
        <p class="legend">{stars.value.length > 0 ? 'Stars' : 'Symbols of the panels'}</p>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">Symbol</th>
            <th scope="col" class="n">
              Price
            </th>
            <th scope="col" class="n">
              Net GEX
            </th>
            <th scope="col" class="n">
              To flip
            </th>
          </tr>
        </thead>
        <tbody>
          {symbols.map((symbol) => (
            <Row key={symbol} symbol={symbol} />
          ))}
        </tbody>
      </table>
      {at.value !== undefined && <p class="hint">Figures of this list are of now only: a replay has none.</p>}
      {watchTrouble.value !== undefined && <p class="hint">{sentenceOf(watchTrouble.value)}</p>}
      <p class="hint">
        A press shows the symbol on the page. Drag it onto a panel, or press <kbd>1</kbd> – <kbd>9</kbd> here: the panel
        of that number shows it.
      </p>
    </section>
  )
}

function Row({ symbol }: { readonly symbol: string }) {
  const row = watched.value.get(symbol)
  const { price: now, net_gex: gex, gamma_flip: flip } = row ?? {}
  const away = now && flip ? (flip / now - 1) * 100 : undefined
  const tone = gex === null || gex === undefined ? '' : gex >= 0 ? 'call' : 'put'
  return (
    <tr
      draggable
      aria-current={symbol === place.value.symbol ? 'true' : undefined}
      onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, symbol)}
    >
      <th scope="row">
        <button
          type="button"
          class="link"
          onClick={() => go({ symbol, expiry: undefined, range: undefined, legs: undefined })}
        >
          {symbol}
        </button>
      </th>
      <td class="n">{price(now)}</td>
      <td class={`n ${tone}`}>{usd(gex)}</td>
      <td class="n">{away === undefined ? NONE : percent(away)}</td>
    </tr>
  )
}
