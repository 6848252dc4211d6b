import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { useEffect } from 'preact/hooks'
import { spread } from '../../charts/time/layers/labels.ts'
import type { Scene } from '../../charts/time/scene.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { type Aim, targetAt } from '../../state/chart/aim.ts'
import { alertDraft } from '../../state/chart/alert-draft.ts'
import { type AlertLine, alertLines } from '../../state/chart/alert-lines.ts'
import { at, go, place } from '../../state/page/address.ts'
import { followSeldom, moveAlert, refusal, removeAlert, renew } from '../../state/screens/alerts-state.ts'
import { AlertForm, endDraft } from './alert-form.tsx'
import { AlertHandle, HANDLE, lineWords } from './alert-handle.tsx'
import { FiredMarks } from './fired-marks.tsx'
import '../../style/alert-lines.css'

interface Props {
  readonly scene: ReadonlySignal<Scene | undefined>
}

/** Alerts about the price as lines with a handle, the one being placed, and marks of what fired. */
export default function AlertLayer({ scene }: Props) {
  const isLive = at.value === undefined
  const said = useSignal('')
  useEffect(() => {
    if (isLive) return followSeldom()
    void renew() // a past moment gets no news
    return undefined
  }, [isLive])
  const { symbol } = place.value
  // A line for one symbol means nothing for another.
  useEffect(() => {
    if (alertDraft.peek() !== undefined && alertDraft.peek()?.symbol !== symbol) alertDraft.value = undefined
  }, [symbol])
  const drawn = scene.value
  if (drawn === undefined || drawn.data.stamp.symbol !== symbol) return null
  const isPlacing = alertDraft.value?.symbol === symbol
  return (
    <div class="alert-layer">
      <FiredMarks scene={drawn} />
      {isLive && (
        <Lines
          scene={drawn}
          say={(sentence) => {
            said.value = sentence
          }}
        />
      )}
      {isPlacing && !isLive && <LiveOnly />}
      <p class="hidden" role="status">
        {said.value}
      </p>
    </div>
  )
}

/** A line that the reader has moved and not set yet. */
interface Moved {
  readonly id: string
  readonly aim: Aim
}

function Lines({ scene, say }: { readonly scene: Scene; readonly say: (sentence: string) => void }) {
  const moved = useSignal<Moved | undefined>(undefined)
  const trouble = useSignal<ApiError | undefined>(undefined)
  const draft = alertDraft.value?.symbol === place.value.symbol ? alertDraft.value : undefined
  const lines = alertLines.value.map((line) =>
    moved.value?.id === line.alert.id ? { ...line, aim: moved.value.aim, isMoved: true } : { ...line, isMoved: false }
  )
  const { plot } = scene
  // Handles keep below the words of the chart.
  const top = scene.legendHeight
  const inSight = ({ price }: Aim) => Math.min(plot.height - HANDLE / 2, Math.max(top + HANDLE / 2, scene.y(price)))
  const aims = [...lines.map(({ aim }) => aim), ...(draft?.aim === undefined ? [] : [draft.aim])]
  const order = aims.map((_, i) => i).sort((a, b) => inSight(aims[a]!) - inSight(aims[b]!))
  const sorted = spread(
    order.map((i) => inSight(aims[i]!)),
    top,
    plot.height,
    HANDLE
  )
  const heightOf = (i: number) => sorted[order.indexOf(i)]!

  const set = async ({ alert }: AlertLine) => {
    const wanted = moved.peek()
    if (wanted?.id !== alert.id) return
    const words = `${alert.symbol} ${lineWords(alert.condition, wanted.aim)}`
    const isMade = await moveAlert(alert.id, targetAt(wanted.aim))
    trouble.value = isMade ? undefined : refusal.peek()
    if (moved.peek() === wanted) moved.value = undefined
    if (isMade) say(`Alert moved: ${words}.`)
  }
  const remove = async ({ alert }: AlertLine) => {
    const isMade = await removeAlert(alert.id)
    trouble.value = isMade ? undefined : refusal.peek()
    if (isMade) say('Alert removed.')
    document.querySelector<HTMLElement>('.time-chart')?.focus()
  }
  return (
    <>
      {lines.map((line, i) => (
        <AlertHandle
          key={line.alert.id}
          scene={scene}
          aim={line.aim}
          top={heightOf(i)}
          symbol={line.alert.symbol}
          words={lineWords(line.alert.condition, line.aim)}
          note={
            line.isMoved ? 'Enter sets it, Escape puts it back' : line.alert.state === 'paused' ? 'paused' : undefined
          }
          isFaint={line.alert.state === 'paused'}
          onMove={(aim) => {
            moved.value = { id: line.alert.id, aim }
          }}
          onSet={() => void set(line)}
          onUndo={() => {
            moved.value = undefined
          }}
          onRemove={() => void remove(line)}
        />
      ))}
      {draft !== undefined && (
        <AlertForm
          scene={scene}
          draft={draft}
          top={draft.aim === undefined ? undefined : heightOf(aims.length - 1)}
          say={say}
        />
      )}
      {trouble.value !== undefined && (
        <p class="alert-trouble" role="alert">
          {sentenceOf(trouble.value)}{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              trouble.value = undefined
            }}
          >
            Close
          </button>
        </p>
      )}
    </>
  )
}

/** Said at a past moment, in place of the line. */
function LiveOnly() {
  return (
    <div class="alert-form live-only" role="status">
      <p>Alerts watch the live market, and this is a past moment.</p>
      <p class="pair">
        <button type="button" class="primary" onClick={() => go({ at: undefined })}>
          Go live
        </button>
        <button type="button" class="small" onClick={endDraft}>
          Cancel
        </button>
      </p>
    </div>
  )
}
