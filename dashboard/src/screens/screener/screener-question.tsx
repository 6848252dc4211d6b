import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { sentenceOf } from '../../parts/sentences.ts'
import { go, hrefOf, place, turn } from '../../state/page/address.ts'
import { type Place, VIEWS } from '../../state/page/place.ts'
import { VIEW_NAMES } from '../../state/screens/screener-columns.ts'
import { fields, loadFields, trouble } from '../../state/screens/screener-state.ts'
import { ownLists } from '../../state/service/watchlists.ts'

const UNIVERSES = [
  [undefined, 'All'],
  ['tier1', 'Tier 1'],
  ['tier2', 'Tier 2'],
  ['etfs', 'ETFs'],
  ['indices', 'Indices']
] as const

/** Common queries of the screener. */
const COMMON_QUERIES: readonly (readonly [name: string, screen: Partial<Place>])[] = [
  ['Short gamma', { view: 'levels', where: 'regime = negative_gamma', sort: 'net_gex' }],
  ['Near the flip', { view: 'levels', where: 'abs(price / gamma_flip - 1) < 0.01', sort: '-net_gex' }],
  ['Pinned today', { view: 'levels', where: 'zero_dte_pct_of_total > 25', sort: '-zero_dte_pct_of_total' }],
  ['Rich premium', { view: 'volatility', where: 'vrp_20d > 2 and regime = positive_gamma', sort: '-vrp_20d' }],
  ['Cheap volatility', { view: 'volatility', where: 'vrp_20d < 0', sort: 'vrp_20d' }],
  ['Inverted term', { view: 'volatility', where: 'term_state = backwardation', sort: 'near_slope_pct' }]
]

const ownNames = () => [...ownLists.held.value].map(([id, { document }]) => [id, document.name] as const)

/** The universe, conditions, formulas and columns of a query. */
export function ScreenQuestion() {
  const { universe, list, view, where, formula } = place.value
  const isOfReader = universe === 'stars'
  const isAmong = isOfReader || UNIVERSES.some(([id]) => id === universe)
  return (
    <section class="panel question" aria-label="Screen">
      <div class="line-of">
        <nav class="choices" aria-label="Symbols">
          {UNIVERSES.map(([id, name]) => (
            <a key={name} href={hrefOf({ universe: id })} aria-current={id === universe ? 'true' : undefined}>
              {name}
            </a>
          ))}
          {[[undefined, '★ Stars'] as const, ...ownNames()].map(([id, name]) => (
            <a
              key={id}
              href={hrefOf({ universe: 'stars', list: id })}
              aria-current={isOfReader && id === list ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
          {!isAmong && (
            <a href={hrefOf({ universe })} aria-current="true">
              {universe}
            </a>
          )}
        </nav>
        <nav class="choices" aria-label="Columns">
          {VIEWS.map((each) => (
            <a key={each} href={hrefOf({ view: each })} aria-current={each === view ? 'true' : undefined}>
              {VIEW_NAMES[each]}
            </a>
          ))}
        </nav>
      </div>
      <div class="line-of">
        <Conditions key={where} />
        <form
          class="formula"
          onSubmit={(event) => {
            event.preventDefault()
            const text = String(new FormData(event.currentTarget).get('formula')).trim()
            go({ formula: text === '' ? undefined : text })
          }}
        >
          <label for="formula">Formula</label>
          <input
            id="formula"
            name="formula"
            key={formula}
            defaultValue={formula ?? ''}
            placeholder="gap = price - gamma_flip"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </form>
      </div>
      <nav class="choices ready" aria-label="Ready screens">
        {COMMON_QUERIES.map(([name, screen]) => (
          <a key={name} href={hrefOf(screen)} aria-current={screen.where === where ? 'true' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {trouble.value !== undefined && <p class="trouble">{sentenceOf(trouble.value)}</p>}
    </section>
  )
}

/** The unfinished name at the end of a text. */
const UNFINISHED = /[a-z][a-z0-9_.]*$/
const SUGGESTIONS = 6

function Conditions() {
  const field = useRef<HTMLInputElement>(null)
  const written = useSignal(place.value.where ?? '')
  const word = UNFINISHED.exec(written.value)?.[0] ?? ''
  const isDone = written.value === (place.value.where ?? '')
  const fitting = word.length < 2 || isDone ? [] : fields.value.filter((name) => name.includes(word) && name !== word)
  const choose = (name: string) => {
    written.value = `${written.value.replace(UNFINISHED, '')}${name} `
    field.current!.value = written.value
    field.current!.focus()
  }
  return (
    <form
      class="conditions"
      onSubmit={(event) => {
        event.preventDefault()
        const text = written.value.trim()
        go({ where: text === '' ? undefined : text })
      }}
    >
      <label for="where">Where</label>
      <input
        id="where"
        ref={field}
        defaultValue={place.value.where ?? ''}
        placeholder="atm_iv > 25 and regime = negative_gamma"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onFocus={() => void loadFields()}
        onInput={(event) => {
          written.value = event.currentTarget.value
        }}
      />
      {place.value.where !== undefined && (
        <button type="button" class="icon" aria-label="No conditions" onClick={() => turn({ where: undefined })}>
          ×
        </button>
      )}
      {fitting.length > 0 && (
        <p class="suggestions">
          {fitting.slice(0, SUGGESTIONS).map((name) => (
            <button type="button" key={name} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </p>
      )}
    </form>
  )
}
