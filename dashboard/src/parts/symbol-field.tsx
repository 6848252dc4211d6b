import { useSignal } from '@preact/signals'
import { go, place } from '../state/page/address.ts'
import { isTicker } from '../state/page/place.ts'
import { stars } from '../state/page/stars.ts'
import { MOST_MATCHES, symbolMatches } from '../state/service/symbol-matches.ts'
import { loadSymbols, recent, symbols } from '../state/service/symbols.ts'

/** The field offers these symbols, the best first, and last the typed one if no list has it. */
function offersFor(typed: string): readonly string[] {
  if (typed === '') return [...new Set([...recent.value, ...stars.value])].slice(0, MOST_MATCHES)
  const matches = symbolMatches(typed, [...new Set([...symbols.value, ...stars.value, ...recent.value])])
  const wanted = typed.trim().toUpperCase()
  return matches[0] === wanted || !isTicker(wanted) ? matches : [...matches, wanted]
}

/** Chooses the symbol of the page. Enter and Tab take the highlighted one, which is the best as soon as letters are typed. */
export function SymbolField() {
  const { symbol } = place.value
  /** The typed text; undefined while the field only shows the symbol of the page. */
  const typed = useSignal<string | undefined>(undefined)
  const isOpen = useSignal(false)
  const highlighted = useSignal(0)
  const offers = isOpen.value ? offersFor(typed.value ?? '') : []
  const isShown = offers.length > 0

  const close = () => {
    isOpen.value = false
    typed.value = undefined
  }
  const choose = (chosen: string | undefined, field?: HTMLInputElement) => {
    close()
    field?.blur()
    if (chosen === undefined || chosen === place.peek().symbol) return
    go({ symbol: chosen, expiry: undefined, range: undefined, legs: undefined })
  }
  /** Chooses the highlighted symbol. Whoever types faster than the symbols arrive waits for them. */
  const take = async (field?: HTMLInputElement) => {
    const [text, at] = [typed.value ?? '', highlighted.value]
    if (text !== '') await loadSymbols()
    choose(offersFor(text)[at], field)
  }
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    const { key, currentTarget: field } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined && isShown) {
      highlighted.value = (highlighted.value + step + offers.length) % offers.length
    } else if (key === 'Enter') void take(field)
    else if (key === 'Tab' && typed.value !== undefined) return void take()
    else if (key === 'Escape') {
      close()
      field.blur()
    } else return
    event.preventDefault()
  }
  return (
    <div class="symbol">
      <label class="hidden" for="symbol">
        Symbol
      </label>
      <input
        id="symbol"
        name="symbol"
        role="combobox"
        aria-expanded={isShown}
        aria-controls="symbols"
        aria-autocomplete="list"
        aria-activedescendant={isShown && highlighted.value >= 0 ? `symbols-${highlighted.value}` : undefined}
        value={typed.value ?? symbol}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          highlighted.value = 0
          isOpen.value = true
        }}
        onFocus={({ currentTarget }) => {
          currentTarget.select()
          highlighted.value = -1
          isOpen.value = true
          void loadSymbols()
        }}
        onBlur={close}
      />
      <div id="symbols" role="listbox" aria-label="Symbols" hidden={!isShown}>
        {offers.map((each, i) => (
          <div
            key={each}
            id={`symbols-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === highlighted.value}
            onPointerDown={(event) => {
              event.preventDefault() // The field would lose the focus, and the list with it.
              choose(each, document.querySelector<HTMLInputElement>('#symbol') ?? undefined)
            }}
          >
            {each}
            {stars.value.includes(each) && <span aria-hidden="true">★</span>}
          </div>
        ))}
      </div>
      <kbd>/</kbd>
    </div>
  )
}
