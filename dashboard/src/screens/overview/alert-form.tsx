import { useSignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { useEffect, useRef } from 'preact/hooks'
import { NARROW, type Scene } from '../../charts/time/scene.ts'
import { level } from '../../parts/format.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { type Aim, CONDITION_WORDS, LINE_CONDITIONS, type LineCondition, targetAt } from '../../state/chart/aim.ts'
import { type AlertDraft, alertDraft } from '../../state/chart/alert-draft.ts'
import { levelsNow } from '../../state/chart/alert-lines.ts'
import { backtest } from '../../state/chart/backtest.ts'
import { history } from '../../state/chart/chart-state.ts'
import { spot } from '../../state/day/day.ts'
import { type Alert, createAlert, refusal } from '../../state/screens/alerts-state.ts'
import { PRICE } from '../../state/screens/metric-names.ts'
import { AlertHandle, aimAtPrice, HANDLE, lineWords } from './alert-handle.tsx'
import { backtestWords } from './backtest-words.ts'

/** Room for the form below its line, CSS pixels. */
const [ROOM, ROOM_NARROW] = [190, 270] as const

/** Gives up the line that is being placed, and the focus back to the chart. */
export function endDraft(): void {
  alertDraft.value = undefined
  document.querySelector<HTMLElement>('.time-chart')?.focus()
}

interface Props {
  readonly scene: Scene
  readonly draft: AlertDraft
  /** Middle of its handle; undefined before it has a price. */
  readonly top: number | undefined
  readonly say: (sentence: string) => void
}

/** The alert line that is being placed, and the sentence that it stands for. */
export function AlertForm({ scene, draft, top, say }: Props) {
  const { symbol, aim } = draft
  const form = useRef<HTMLFormElement>(null)
  const condition = useSignal<LineCondition>('crosses')
  const repeat = useSignal<Alert['repeat']>('once')
  const trouble = useSignal<ApiError | undefined>(undefined)
  const isAsking = useSignal(false)
  const move = (next: Aim) => {
    alertDraft.value = { symbol, aim: next }
  }
  useEffect(() => {
    if (aim !== undefined) return
    const wanted = draft.pressed ?? spot.peek() ?? scene.data.bars.c.at(-1)
    if (wanted === undefined) return
    alertDraft.value = { ...draft, aim: aimAtPrice(scene, wanted) }
  }, [draft])
  const isPlaced = aim !== undefined
  useEffect(() => {
    if (isPlaced) form.current?.parentElement?.querySelector<HTMLElement>('.draft [role=slider]')?.focus()
  }, [isPlaced])
  if (aim === undefined || top === undefined) return null
  const set = async () => {
    if (isAsking.peek()) return
    isAsking.value = true
    const words = `${symbol} ${lineWords(condition.peek(), aim)}`
    const isMade = await createAlert({
      symbol,
      metric: PRICE,
      condition: condition.peek(),
      value: targetAt(aim),
      repeat: repeat.peek()
    })
    isAsking.value = false
    trouble.value = isMade ? undefined : refusal.peek()
    if (!isMade) return
    say(`Alert set: ${words}.`)
    endDraft()
  }
  const known = history.value?.symbol === symbol ? history.value : undefined
  const none = Float64Array.from(known?.ends ?? [], () => Number.NaN)
  const target = aim.level === undefined ? aim.price : (known?.columns[aim.level] ?? none)
  const tested = known && backtest(known, target, condition.value)
  const isNarrow = scene.width < NARROW
  const below = top + HANDLE / 2 + 4
  const highest = scene.plot.height - (isNarrow ? ROOM_NARROW : ROOM)
  return (
    <>
      {tested?.fired.map((bar) => (
        <WouldFire key={bar} scene={scene} bar={bar} />
      ))}
      <div class="draft">
        <AlertHandle
          scene={scene}
          aim={aim}
          top={top}
          symbol={symbol}
          words={lineWords(condition.value, aim)}
          onMove={move}
          onSet={() => form.current?.requestSubmit()}
          onUndo={endDraft}
        />
      </div>
      <form
        class="alert-form"
        ref={form}
        aria-label="New alert line"
        style={{ top: `${Math.max(4, below > highest ? Math.min(highest, top - ROOM) : below)}px` }}
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          endDraft()
        }}
      >
        <p class="sentence">
          Tell me when <b>{symbol}</b>{' '}
          <select
            class="field"
            aria-label="How the price gets there"
            value={condition.value}
            onChange={({ currentTarget }) => {
              condition.value = currentTarget.value as LineCondition
            }}
          >
            {LINE_CONDITIONS.map((each) => (
              <option key={each} value={each}>
                {CONDITION_WORDS[each]}
              </option>
            ))}
          </select>{' '}
          <AimField aim={aim} move={move} />{' '}
          <select
            class="field"
            aria-label="How often"
            value={repeat.value}
            onChange={({ currentTarget }) => {
              repeat.value = currentTarget.value as Alert['repeat']
            }}
          >
            <option value="once">once</option>
            <option value="each_time">each time</option>
          </select>
        </p>
        {known && tested && (
          <p class="backtest" role="status">
            {backtestWords(tested, known)}
          </p>
        )}
        <p class="hint">Choose a level, press a price in the chart, drag the line, or use ↑ and ↓.</p>
        {trouble.value !== undefined && (
          <p class="refusal" role="alert">
            {sentenceOf(trouble.value)}
          </p>
        )}
        <p class="pair">
          <button type="submit" class="primary" disabled={isAsking.value}>
            Set alert
          </button>
          <button type="button" class="small" onClick={endDraft}>
            Cancel
          </button>
        </p>
      </form>
    </>
  )
}

/** Marks a bar at whose close the alert would have fired. */
function WouldFire({ scene, bar }: { readonly scene: Scene; readonly bar: number }) {
  const { plot, x } = scene
  const [left, right] = [Math.max(0, x(bar)), Math.min(plot.width, x(bar + 1))]
  if (right < 0 || left > plot.width) return null
  const width = Math.max(3, right - left)
  return <i class="would-fire" style={{ left: `${left}px`, width: `${width}px`, height: `${plot.height}px` }} />
}

/** A price, or a level that the line is tied to wherever it goes. */
function AimField({ aim, move }: { readonly aim: Aim; readonly move: (aim: Aim) => void }) {
  return (
    <>
      <select
        class="field"
        aria-label="What it gets to"
        value={aim.level ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const tied = levelsNow.peek().find((each) => each.level === value)
          move({ price: tied?.price ?? aim.price, level: tied?.level })
        }}
      >
        <option value="">a price</option>
        {levelsNow.value.map((each) => (
          <option key={each.level} value={each.level}>
            its {each.name}, wherever it is
          </option>
        ))}
      </select>{' '}
      {aim.level === undefined && (
        <input
          class="field"
          aria-label="Price"
          inputMode="decimal"
          autocomplete="off"
          size={8}
          value={level(aim.price).replaceAll(',', '')}
          onChange={({ currentTarget }) => {
            const wanted = Number(currentTarget.value.replaceAll(',', ''))
            if (wanted > 0 && Number.isFinite(wanted)) move({ price: wanted, level: undefined })
            else currentTarget.value = String(aim.price)
          }}
        />
      )}
    </>
  )
}
