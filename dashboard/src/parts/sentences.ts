import type { ApiError } from 'gammawall/client'
import { clock } from '../state/day/time.ts'
import type { SessionPart } from '../state/service/ask.ts'

const PLANS: Readonly<Record<string, string>> = {
  free: 'Free',
  basic: 'Basic',
  growth: 'Growth',
  alpha: 'Alpha',
  enterprise: 'Enterprise'
}

const planOf = (name: unknown) => (typeof name === 'string' ? (PLANS[name] ?? name) : 'another plan')

/** Whether the browser knows that it has no connection. */
export const isOffline = () => globalThis.navigator?.onLine === false

/** Says what a refusal means to the reader and how to go on. */
export function sentenceOf(error: ApiError): string {
  const { code, detail, status } = error
  switch (code) {
    case 'tier_restricted':
      return `Needs ${planOf(detail['required_plan'])}; this key is ${planOf(detail['current_plan'])}.`
    case 'quota_exceeded':
      return detail['symbols'] === undefined
        ? 'The daily quota of requests is used up.'
        : `Today’s ${detail['symbols']} symbols are opened; those go on.`
    case 'data_loading':
    case 'loading':
      return loadingSentence(detail)
    case 'unreachable':
      return isOffline()
        ? 'This device is offline, so nothing new arrives; the page keeps trying.'
        : 'The service does not respond; the page keeps trying.'
    case 'no_data':
    case 'no_snapshot':
    case 'insufficient_data':
    case 'insufficient_history':
    case 'symbol_not_found':
      return capitalised(error.message)
    default:
      if (/gives no prints$/.test(error.message))
        return 'This source has no prints: there is no tape, and flow is inferred from volumes.'
      if (/^the tape\b/.test(error.message)) return capitalised(error.message)
      return status >= 500 ? 'The data source is down; the page keeps trying.' : capitalised(error.message)
  }
}

/** Says which part of a session the figures cover so far: 'loading: since 15:58, 3 % of the session'. */
export function partWords({ share, since }: SessionPart): string {
  const percent = `${Math.floor(100 * share)} %`
  if (since === undefined) return `loading: ${percent} of the symbols`
  return `loading: since ${clock(Date.parse(since)).slice(0, 5)}, ${percent} of the session`
}

/** Whether a refusal says that data is still being loaded, so that asking again soon is enough. */
export const isLoading = ({ code }: Pick<ApiError, 'code'>) => code === 'data_loading' || code === 'loading'

/** Share of what is being loaded that is there, from 0 to 1; undefined if the refusal is another one or does not say it. */
export function loadedShare({ code, detail }: Pick<ApiError, 'code' | 'detail'>): number | undefined {
  const { share } = detail
  return code === 'data_loading' && typeof share === 'number' ? share : undefined
}

/** The parts of a message that are for everybody: those that name a path are for programs. */
function withoutPaths(text: string): string {
  const kept = text.split('; ').filter((part) => !part.includes('/v1/'))
  if (!/it has one snapshot/.test(text)) return kept.join('; ') || text
  return 'no prints of this session were recorded, and one snapshot tells no flow within it. Its open interest and what changed are on the screen Expirations'
}

function loadingSentence(detail: ApiError['detail']): string {
  const what = typeof detail['loading'] === 'string' ? ` the ${detail['loading']}` : ''
  const share = loadedShare({ code: 'data_loading', detail })
  const done = share === undefined ? '' : `: ${Math.floor(100 * share)} % of the session so far`
  return `Loading${what}${done}; the page keeps asking.`
}

function capitalised(text: string): string {
  const words = withoutPaths(text)
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

/** The words of a list that are most similar, nearest first. */
export function nearest(word: string, list: readonly string[], count: number): readonly string[] {
  const apart = (a: string, b: string) => {
    let row = Array.from({ length: b.length + 1 }, (_, i) => i)
    for (let i = 1; i <= a.length; i++) {
      const next = [i]
      for (let j = 1; j <= b.length; j++)
        next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
      row = next
    }
    return row[b.length]!
  }
  return [...list].sort((a, b) => apart(word, a) - apart(word, b) || (a < b ? -1 : 1)).slice(0, count)
}
