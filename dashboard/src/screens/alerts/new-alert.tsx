import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Caption } from '../../parts/panel.tsx'
import { spot } from '../../state/day/day.ts'
import { place } from '../../state/page/address.ts'
import { type Condition, createAlert, loadMetrics, metrics, targetOf } from '../../state/screens/alerts-state.ts'
import { alertDraft, idOf, knownMetrics, nameOf, PRICE } from '../../state/screens/metric-names.ts'
import { loadSymbols, symbols } from '../../state/service/symbols.ts'

/** The first condition is the default of the form. */
const SENTENCES: Readonly<Record<Condition, string>> = {
  crosses: 'crosses',
  above: 'comes above',
  below: 'falls below',
  changes_by: 'has changed by'
}

export function NewAlertPanel() {
  const { symbol, watch } = place.value
  const draft = watch && alertDraft(watch)
  const number = useRef<HTMLInputElement>(null)
  const isPriced = useComputed(() => spot.value !== undefined)
  useEffect(() => {
    void loadMetrics()
  }, [])
  // The price may arrive after the form.
  useEffect(() => {
    if (isPriced.value && number.current?.value === '') number.current.value = spot.peek()!.toFixed(2)
  }, [isPriced.value, symbol])
  const make = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    const text = (name: string) => String(given.get(name)).trim()
    const written = () => JSON.stringify([...new FormData(form)])
    const sent = written()
    const wanted = {
      symbol: text('symbol').toUpperCase(),
      metric: idOf(text('metric')),
      condition: text('condition') as Condition,
      value: targetOf(idOf(text('value'))),
      repeat: text('repeat') === 'once' ? ('once' as const) : ('each_time' as const),
      ...(text('note') !== '' && { note: text('note') }),
      ...(text('webhook') !== '' && { webhook: { url: text('webhook') } })
    }
    // The form is not emptied if the reader has begun the next alert meanwhile.
    await createAlert(wanted, () => {
      if (written() === sent) form.reset()
    })
  }
  return (
    <section class="panel new-alert" aria-label="New alert">
      <Caption title="New alert" />
      <form onSubmit={(event) => void make(event)} key={`${symbol} ${watch}`}>
        <label>
          Symbol
          <input
            class="field"
            name="symbol"
            required
            maxLength={20}
            defaultValue={symbol}
            list="alert-symbols"
            autocomplete="off"
            spellcheck={false}
            onFocus={() => void loadSymbols()}
          />
        </label>
        <label>
          Metric
          <input
            class="field"
            name="metric"
            required
            maxLength={200}
            defaultValue={nameOf(draft?.metric ?? PRICE)}
            list="metrics"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <label>
          Fires when it
          <select class="field" name="condition">
            {Object.entries(SENTENCES).map(([condition, sentence]) => (
              <option key={condition} value={condition}>
                {sentence}
              </option>
            ))}
          </select>
        </label>
        <label>
          Number or metric
          <input
            class="field"
            name="value"
            ref={number}
            required
            maxLength={200}
            defaultValue={draft === undefined ? (spot.peek()?.toFixed(2) ?? '') : nameOf(draft.value)}
            list="metrics"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <label>
          How often
          <select class="field" name="repeat">
            <option value="once">once</option>
            <option value="each_time">each time</option>
          </select>
        </label>
        <label>
          Note
          <input class="field" name="note" maxLength={200} autocomplete="off" placeholder="for you" />
        </label>
        <label>
          Webhook
          <input
            class="field"
            name="webhook"
            type="url"
            maxLength={2000}
            autocomplete="off"
            placeholder="https://, signed; none: shown here"
          />
        </label>
        <button type="submit" class="primary">
          Set alert
        </button>
        <datalist id="alert-symbols">
          {symbols.value.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <datalist id="metrics">
          {[...new Set([...knownMetrics, ...metrics.value])].map((each) => (
            <option key={each} value={nameOf(each)} />
          ))}
        </datalist>
      </form>
    </section>
  )
}
