import { useEffect } from 'preact/hooks'
import { Drop } from '../../parts/drop.tsx'
import { NONE, percent, price, usd } from '../../parts/format.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { SureButton } from '../../parts/sure-button.tsx'
import { at, go, place } from '../../state/page/address.ts'
import { ownLists, setSymbols, symbolsOf } from '../../state/service/watchlists.ts'
import {
  hasNoStars,
  listedSymbols,
  startWatching,
  watched,
  watchTrouble
} from '../../state/workspace/watchlist-state.ts'
import { panels, setPanel } from '../../state/workspace/workspace-state.ts'
import { NameField } from './layout-bar.tsx'
import { DRAGGED } from './tile.tsx'

/** Shows the symbol of the row in focus in a panel: keys 1 to 9. */
function press(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event
  const rows = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>('tbody .link')]
  const row = rows.indexOf(target as HTMLElement)
  if (row < 0) return
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  if (step !== undefined) rows[row + step]?.focus()
  else if (/^[1-9]$/.test(key) && panels.peek()[Number(key) - 1] !== undefined)
    setPanel(Number(key) - 1, { symbol: listedSymbols.peek()[row]! })
  else return
  event.preventDefault()
}

const choose = (list: string | undefined) => go({ list })

/** Chooses a list of the reader, and makes, renames and removes them. */
function Lists() {
  const { list } = place.value
  const own = ownLists.held.value
  const open = list === undefined ? undefined : own.get(list)?.document
  return (
    <>
      <select
        aria-label="List"
        value={list ?? ''}
        onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : value)}
      >
        <option value="">{hasNoStars.value ? 'Symbols of the panels' : '★ Stars'}</option>
        {[...own].map(([id, { document }]) => (
          <option key={id} value={id}>
            {document.name}
          </option>
        ))}
      </select>
      <Drop name="Lists">
        <NameField
          label="New list"
          initial=""
          word="Make"
          take={(name) => {
            const id = ownLists.freeId(name)
            ownLists.put(id, { name, symbols: [] })
            choose(id)
          }}
        />
        {list !== undefined && open !== undefined && (
          <>
            <NameField
              key={open.name}
              label="Name"
              initial={open.name}
              word="Rename"
              take={(name) => ownLists.put(list, { ...open, name })}
            />
            <SureButton
              name="Remove"
              of={open.name}
              act={() => {
                void ownLists.remove(list)
                choose(undefined)
              }}
            />
          </>
        )}
      </Drop>
    </>
  )
}

/** Adds what is typed to the list. */
function AddSymbols() {
  return (
    <form
      class="add-symbols"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const typed = String(new FormData(form).get('symbols')).toUpperCase()
        const { list } = place.peek()
        setSymbols(list, [...(symbolsOf(list) ?? []), ...typed.split(/[\s,]+/)])
        form.reset()
      }}
    >
      <input
        name="symbols"
        aria-label="Symbols to add"
        placeholder="AMD, TLT"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        required
        size={10}
      />
      <button type="submit" class="chip">
        Add
      </button>
    </form>
  )
}

/** The reader's symbols with their figures of now. */
export function Watchlist() {
  useEffect(() => {
    ownLists.keep()
    return startWatching()
  }, [])
  const symbols = listedSymbols.value
  return (
    <section class="panel watchlist" aria-label="Watchlist" onKeyDown={press}>
      <header class="caption">
        <h2>Watchlist</h2>
        <Lists />
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
      {symbols.length === 0 && (
        <p class="hint">
          {symbolsOf(place.value.list) === undefined
            ? 'There is no list of that name any more.'
            : 'This list has no symbol yet.'}
        </p>
      )}
      <AddSymbols />
      {at.value !== undefined && <p class="hint">Figures of this list are of now only: a replay has none.</p>}
      {watchTrouble.value !== undefined && <p class="hint">{sentenceOf(watchTrouble.value)}</p>}
      <p class="hint">
        A press shows the symbol on the page. Drag it onto a panel, or press <kbd>1</kbd> – <kbd>9</kbd> here: the panel
        of that number shows it.
      </p>
    </section>
  )
}

function takeOut(symbol: string): void {
  const { list } = place.peek()
  setSymbols(
    list,
    listedSymbols.peek().filter((each) => each !== symbol)
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
        {!hasNoStars.value && (
          <button type="button" class="icon" aria-label={`Take ${symbol} out`} onClick={() => takeOut(symbol)}>
            ×
          </button>
        )}
      </th>
      <td class="n">{price(now)}</td>
      <td class={`n ${tone}`}>{usd(gex)}</td>
      <td class="n">{away === undefined ? NONE : percent(away)}</td>
    </tr>
  )
}
