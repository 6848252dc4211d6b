import { session, tick, unknownSymbol } from '../state/day/day.ts'
import { clock, dayOf, momentOf, newYork } from '../state/day/time.ts'
import { at, symbol } from '../state/page/address.ts'
import { closing } from '../state/page/closing.ts'
import { freshness, outage } from '../state/service/freshness.ts'
import { question } from '../state/service/question.ts'
import { type Between, recordedAround } from '../state/service/recorded.ts'
import { link } from '../state/stream/stream-state.ts'
import { isOffline } from './sentences.ts'

/** Data older than this is shown as delayed, seconds. */
const DELAYED = 20

interface State {
  readonly tone: 'live' | 'past' | 'lost' | 'waiting' | 'stale' | 'closed'
  readonly word: string
  readonly note?: string | undefined
}

/** A moment between two recordings, with what is recorded around it; undefined at a recorded moment and live. */
export function betweenRecordings(): (Between & { readonly wanted: string }) | undefined {
  const wanted = at.value
  const around = wanted === undefined ? undefined : recordedAround(symbol.value, wanted)
  if (wanted === undefined || around === undefined) return undefined
  return momentOf(wanted) - momentOf(around.newest) > USUAL_STEP ? { ...around, wanted } : undefined
}

/** Replayed data may be this much older than the moment of the page without a word, milliseconds. */
const USUAL_STEP = 300_000

/** Says that what was recorded lies well before the moment that is asked for. */
function newestBy(wanted: string, recorded: string | undefined): string | undefined {
  if (recorded === undefined || momentOf(wanted) - momentOf(recorded) <= USUAL_STEP) return undefined
  return `${recorded.slice(11, 16)} is the newest by ${wanted.slice(11, 16)}`
}

/** The state of the data in a word: live, or why not. */
export function stateNow(): State {
  const { age, isStale, isImported } = freshness.value
  const hours = session.answer.value
  if (unknownSymbol.value?.isReplay === false) return { tone: 'lost', word: 'No such symbol' }
  if (at.value !== undefined && at.value === closing.value?.at)
    return { tone: 'closed', word: 'At the close', note: dayOf(at.value.slice(0, 10)) }
  if (at.value !== undefined) {
    const notes = [newestBy(at.value, question.value.at), isImported ? 'imported' : undefined]
    return { tone: 'past', word: 'Replay', note: notes.filter((each) => each !== undefined).join(', ') || undefined }
  }
  if (outage.value?.error.code === 'unreachable') return { tone: 'lost', word: isOffline() ? 'Offline' : 'No answer' }
  if (isStale) return { tone: 'stale', word: 'Stale', note: 'the source sends nothing newer' }
  if (hours?.status === 'pre') return { tone: 'closed', word: `Opens ${clock(Date.parse(hours.open), false)}` }
  if (hours !== undefined && hours.status !== 'open') {
    const opens = newYork(Date.parse(hours.next_open))
    return {
      tone: 'closed',
      word: 'Closed',
      note: `opens ${dayOf(opens.slice(0, 10)).slice(0, 3)} ${opens.slice(11, 16)}`
    }
  }
  if (hours === undefined && session.isAsking.value) return { tone: 'waiting', word: 'Connecting' }
  if (tick.value === undefined && age !== undefined && age > DELAYED)
    return { tone: 'closed', word: 'Delayed', note: `${Math.max(1, Math.round(age / 60))} min old` }
  if (link.value === 'lost') return { tone: 'lost', word: 'Reconnecting' }
  if (link.value === 'connecting' || hours === undefined) return { tone: 'waiting', word: 'Connecting' }
  return { tone: 'live', word: 'Live' }
}
