import { lastUpTo } from '../../charts/time/bars.ts'
import type { Scene } from '../../charts/time/scene.ts'
import { type FiredMark, firedMarks } from '../../state/chart/alert-lines.ts'
import { inWords } from '../../state/screens/metric-names.ts'
import { momentText } from '../alerts/moment-text.ts'

/** Marks nearer than this are one, CSS pixels. */
const APART = 22
/** Width of the words of a mark, and how many firings they name. */
const [WIDE, MOST] = [260, 4] as const

interface Placed {
  readonly x: number
  readonly marks: FiredMark[]
}

/** Places of what fired on the time axis, those in sight, from the left; near ones together. */
export function placedMarks({ data, x, plot }: Scene, marks: readonly FiredMark[]): readonly Placed[] {
  const placed: Placed[] = []
  for (const mark of marks) {
    const bar = lastUpTo(data.bars.t, mark.time)
    const at = x(bar + 0.5)
    if (bar < 0 || at < 0 || at > plot.width) continue
    const last = placed.at(-1)
    if (last !== undefined && at - last.x < APART) last.marks.push(mark)
    else placed.push({ x: at, marks: [mark] })
  }
  return placed
}

const textOf = ({ event, time }: FiredMark) => `${momentText(new Date(time).toISOString())} ${inWords(event.text)}`

/** Bells where an alert fired; each says what, on hover and on focus. */
export function FiredMarks({ scene }: { readonly scene: Scene }) {
  return (
    <>
      {placedMarks(scene, firedMarks.value).map(({ x, marks }) => {
        const [first] = marks
        const texts = marks.map(textOf)
        const left = Math.max(4, Math.min(scene.width - WIDE - 4, x - WIDE / 2))
        return (
          <div class="fired-mark" key={first!.event.id}>
            <button
              type="button"
              style={{ left: `${x}px`, top: `${scene.foot}px` }}
              aria-label={`${marks.length > 1 ? `${marks.length} fired` : 'Fired'}: ${texts.join('; ')}`}
            >
              <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" fill="currentColor">
                <path d="M3 11.5h10l-1.5-2V6.75a3.5 3.5 0 0 0-7 0V9.5zM6.5 13h3a1.5 1.5 0 0 1-3 0" />
              </svg>
              {marks.length > 1 && <small>{marks.length}</small>}
            </button>
            <div
              class="words-of-mark"
              aria-hidden="true"
              style={{ left: `${left}px`, bottom: `${scene.height - scene.foot + 28}px` }}
            >
              {texts.slice(-MOST).map((text) => (
                <p key={text}>{text}</p>
              ))}
              {texts.length > MOST && <p>and {texts.length - MOST} before</p>}
            </div>
          </div>
        )
      })}
    </>
  )
}
