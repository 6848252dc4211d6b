import { useSignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { go, place } from '../../state/page/address.ts'
import { areStepsOpen } from '../../state/page/first-steps.ts'
import { isTicker } from '../../state/page/place.ts'
import { PROGRAMS } from '../../state/page/programs.ts'
import { changeSettings, settings } from '../../state/page/settings.ts'
import { setStars, stars } from '../../state/page/stars.ts'
import { createAlert, type NewAlert, refusal } from '../../state/screens/alerts-state.ts'
import { alertDraft } from '../../state/screens/metric-names.ts'
import '../../style/first-steps.css'

const OFFERED = ['SPX', 'SPY', 'QQQ', 'IWM', 'NVDA', 'TSLA'] as const

/** Alerts about the first symbol that a reader may choose. */
const WAKING = [
  ['gamma_flip', 'crosses', 'Price crosses the gamma flip'],
  ['call_wall', 'crosses', 'Price crosses the call wall'],
  ['net_gex', 'below', 'Net gamma turns negative']
] as const

type Waking = (typeof WAKING)[number]

function alertOf([card, condition]: Waking, symbol: string): NewAlert {
  const { metric, value } = alertDraft(card)
  return { symbol, metric, condition, value: value === '0' ? 0 : { metric: value }, repeat: 'each_time' }
}

/** Tickers of a text, separated by commas or blanks. */
const tickersOf = (text: string) =>
  text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(isTicker)

/** Three questions to a new reader: symbols, charting program, alerts. Each may be left out. */
export default function FirstSteps() {
  const box = useRef<HTMLDialogElement>(null)
  const trouble = useSignal<ApiError | undefined>(undefined)
  useEffect(() => box.current?.showModal(), [])
  const take = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const chosen = [...new Set([...given.getAll('symbol').map(String), ...tickersOf(String(given.get('others')))])]
    if (chosen.length > 0) setStars(chosen)
    const program = given.get('program')
    changeSettings({ steps: 'done', ...(program !== null && { program: String(program) }) })
    const symbol = chosen[0] ?? place.peek().symbol
    const waking = given.getAll('wakes').map(String)
    for (const each of WAKING.filter(([card]) => waking.includes(card))) {
      if (await createAlert(alertOf(each, symbol))) continue
      trouble.value = refusal.peek()
      return
    }
    box.current?.close()
    if (symbol !== place.peek().symbol) go({ symbol, expiry: undefined, range: undefined, legs: undefined })
  }
  return (
    <Dialog
      id="first-steps"
      title="Three first steps"
      box={box}
      onClose={() => {
        areStepsOpen.value = false
        changeSettings({ steps: 'done' })
      }}
      onSubmit={(event) => void take(event)}
    >
      <fieldset>
        <legend>1 · What do you trade?</legend>
        {OFFERED.map((symbol) => (
          <label key={symbol}>
            <input type="checkbox" name="symbol" value={symbol} defaultChecked={stars.value.includes(symbol)} />
            {symbol}
          </label>
        ))}
        <input
          class="field"
          name="others"
          aria-label="Other symbols"
          placeholder="others: AAPL, XLF"
          autocomplete="off"
          defaultValue={stars.value.filter((each) => !OFFERED.some((offered) => offered === each)).join(', ')}
        />
        <small>Becomes your stars: first in every list of symbols. The page opens the first one.</small>
      </fieldset>
      <fieldset>
        <legend>2 · Where do you chart?</legend>
        <select class="field" name="program" aria-label="Charting program">
          {PROGRAMS.map(([program, name]) => (
            <option key={program} value={program} selected={program === settings.value.program}>
              {name}
            </option>
          ))}
        </select>
        <small>Export, above the chart, then begins with it.</small>
      </fieldset>
      <fieldset>
        <legend>3 · What should wake you?</legend>
        {WAKING.map(([card, , name]) => (
          <label key={card}>
            <input type="checkbox" name="wakes" value={card} />
            {name}
          </label>
        ))}
        <small>Alerts about your first symbol, each time it happens. The screen Alerts has them.</small>
      </fieldset>
      {trouble.value !== undefined && (
        <p class="hint" role="alert">
          {sentenceOf(trouble.value)}
        </p>
      )}
      <p class="buttons">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class="primary plain" onClick={() => box.current?.close()}>
          Not now
        </button>
      </p>
    </Dialog>
  )
}
