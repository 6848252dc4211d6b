import { batch, effect, signal } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { changeSettings, settings, settingsOf } from '../page/settings.ts'
import { setStars, stars } from '../page/stars.ts'
import { sendHeld } from './send.ts'

/** What the service keeps of the reader: lists of symbols and settings, the same on every device. */

export type Value = Readonly<Record<string, unknown>>

export interface Document {
  readonly id: string
  readonly value: Value
}

export interface Entry {
  readonly kind: 'layouts' | 'watchlists' | 'settings'
  readonly id: string
  /** Name of the kind, as it begins a sentence. */
  readonly name: string
  /** The present value; undefined: the reader has chosen nothing. */
  readonly read: () => Value | undefined
  readonly take: (value: Value) => void
  /** Called with what the service has, once it has kept a change. */
  readonly onKept?: (value: Value) => void
}

const ENTRIES: readonly Entry[] = [
  {
    kind: 'watchlists',
    id: 'stars',
    name: 'Your stars',
    read: () => ({ symbols: stars.value }),
    take: ({ symbols }) => {
      if (Array.isArray(symbols)) setStars(symbols.filter((each) => typeof each === 'string'))
    }
  },
  {
    kind: 'settings',
    id: 'page',
    name: 'Your settings',
    read: () => settings.value,
    take: (value) => changeSettings(settingsOf(value))
  }
]

/** Asks the reader which of two states stays. */
export interface Conflict {
  readonly name: string
  readonly keepMine: () => void
  readonly takeTheirs: () => void
}

/** Set while a choice of this page meets one of another device. */
export const conflict = signal<Conflict>()
/** Why the service did not keep the last change; it is kept in the browser. */
export const keptTrouble = signal<ApiError>()
/** Whether the service has nothing of this reader yet. Undefined before that is known. */
export const isNewReader = signal<boolean>()

/** How long a choice must stay before it is sent, milliseconds. */
const REST = 500

/** Takes what the service keeps, and has it keep what the reader chooses, until the returned function is called. */
export function followKept(): () => void {
  const gaveUp = new AbortController()
  const stops: Leave[] = []
  void loadDocuments(ENTRIES.map(({ kind }) => kind)).then((found) => {
    if (found === undefined || gaveUp.signal.aborted) return
    batch(() => {
      for (const entry of ENTRIES) stops.push(follow(entry, found.get(`${entry.kind}/${entry.id}`)))
      isNewReader.value = !found.has('settings/page')
    })
  })
  return () => {
    gaveUp.abort()
    for (const stop of stops) void stop()
  }
}

/** Documents of some kinds by kind and name; undefined if they cannot be had now: the browser's copy stays. */
export async function loadDocuments(of: readonly Entry['kind'][]): Promise<ReadonlyMap<string, Value> | undefined> {
  const kinds = [...new Set(of)]
  try {
    const lists = await Promise.all(kinds.map((kind) => sendHeld('GET', `/v1/me/${kind}`)))
    return new Map(
      lists.flatMap(({ answer }, k) =>
        ((answer as { readonly documents?: readonly Document[] }).documents ?? []).map(
          ({ id, value }) => [`${kinds[k]}/${id}`, value] as const
        )
      )
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

const same = (one: Value, other: Value) => JSON.stringify(one) === JSON.stringify(other)

/** Ends the sending of changes, and says once the last one is answered whether the service has the document. */
export type Leave = () => Promise<boolean>

/**
 * Has the service keep the value of an entry from now on, until the returned function is called. `found`: what it had.
 * `isUnsent`: the present value is a change of that which has yet to be sent.
 */
export function follow(
  { kind, id, name, read, take, onKept }: Entry,
  found: Value | undefined,
  isUnsent = false
): Leave {
  const path = `/v1/me/${kind}/${id}`
  /** The state of the service as it was last known, and its tag once that is known. */
  let held = found
  let etag: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending = Promise.resolve()
  if (found !== undefined && !isUnsent) take(found)

  const ask = (value: Value) => {
    conflict.value = {
      name,
      keepMine: () => {
        conflict.value = undefined
        sending = sending.then(() => put(true))
      },
      takeTheirs: () => {
        conflict.value = undefined
        held = value
        etag = undefined
        take(value)
      }
    }
  }
  /** Sends the present value. `isForced`: whatever the service has by now. */
  async function put(isForced = false): Promise<void> {
    const wanted = { ...held, ...read() }
    if (!isForced && (held === undefined ? isEmpty(wanted) : same(wanted, held))) return
    try {
      if (held !== undefined && etag === undefined && !isForced) {
        const now = await sendHeld('GET', path)
        const { value } = now.answer as Document
        if (!same(value, held)) return ask(value)
        etag = now.etag
      }
      const made = await sendHeld('PUT', path, wanted, isForced ? undefined : etag)
      held = (made.answer as Document).value
      etag = made.etag
      keptTrouble.value = undefined
      onKept?.(held)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      etag = undefined
      // A document that another device removed is written anew, since it was changed here.
      if (error.code === 'document_not_found') await put(true)
      else if (error.code === 'document_changed') await put()
      else keptTrouble.value = error
    }
  }
  const stop = effect(() => {
    read()
    clearTimeout(timer)
    timer = setTimeout(() => {
      sending = sending.then(() => put())
    }, REST)
  })
  return () => {
    clearTimeout(timer)
    stop()
    return sending.then(() => held !== undefined)
  }
}

/** Whether there is nothing to keep yet. */
const isEmpty = (value: Value) => Object.values(value).every((each) => Array.isArray(each) && each.length === 0)
