import { LRUCache } from 'lru-cache'
import { bytesOfList, type StoredContracts } from '../../archive/codec/contract-list.ts'
import type { Chain } from '../../market/chain.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { chainParts, unpackChain } from '../../shelf/chain-bytes.ts'
import { unpackList } from '../../shelf/list-bytes.ts'
import {
  type AskedCall,
  chainKey,
  listKey,
  type MemberRequest,
  SOURCE_KEY,
  type SourceFailure
} from '../../shelf/messages.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import { type ServedCapability, servedCapabilities } from '../port/capability.ts'
import type { Connector, FollowedChains } from '../port/connector.ts'
import { SourceError, type SourceFault } from '../port/source-error.ts'
import { askedValue, valueKey } from './asked-values.ts'
import { CollectorRequests } from './collector-requests.ts'
import type { SourceDescription } from './source-description.ts'

/** Milliseconds that a start waits for a collector to describe the source, and between two looks for it. */
const DESCRIBED_WITHIN = 120_000
const LOOK_EVERY = 100

/** Milliseconds that a first chain is waited for: the collector may load it from the vendor. */
const CHAIN_WITHIN = 15_000
/** Milliseconds that a newer chain is waited for while an older one is there to serve. */
const NEWER_WITHIN = 2000
const ASKED_WITHIN = 18_000
/** Age of a requested chain for which nobody waits in particular. */
const LONGEST_AGE = 900_000
/** Milliseconds between two looks for a silence of the collectors. */
const LISTEN_ANEW_AFTER = 5000
/** Bytes of contract lists that a thread keeps. */
const MAX_LISTS = 64 * 2 ** 20

/**
 * The source of a member that serves: chains lie on the shelf, and what is not there is asked of the collector.
 * `made` supplies the prices of a made-up market, which cost no vendor anything.
 */
export async function followed(
  shelf: Shelf,
  made?: Pick<Connector, 'minutePrices'>,
  wallNow: () => Instant = Date.now
): Promise<Connector> {
  const description = await described(shelf)
  let latest = Number.POSITIVE_INFINITY
  const listeners: Parameters<FollowedChains['onNewer']>[0][] = []
  const tellNewer: (typeof listeners)[number] = (symbol, told) => {
    for (const listener of listeners) listener(symbol, told)
  }
  const answers = new CollectorRequests(shelf, (told) => {
    if (told.kind === 'newer') tellNewer(told.symbol, told)
    else latest = told.latest
  })
  const lists = new LRUCache<string, StoredContracts>({ maxSize: MAX_LISTS, sizeCalculation: bytesOfList })

  async function shelved(symbol: Ticker): Promise<Chain | undefined> {
    const bytes = await reached(shelf.get(chainKey(symbol)))
    if (bytes === undefined) return undefined
    const parts = chainParts(bytes)
    const { list } = parts.head
    let contracts = lists.get(list)
    if (contracts === undefined) {
      const listed = await reached(shelf.get(listKey(list)))
      if (listed === undefined) return undefined
      contracts = unpackList(listed)
      lists.set(list, contracts)
    }
    return unpackChain(parts, contracts)
  }

  function asked<Call extends AskedCall>(call: Call) {
    type Ask = NonNullable<Connector[Call]>
    const { unpack } = askedValue(call)
    const ask = async (...args: Parameters<Ask>) => {
      const key = valueKey(call, args)
      const kept = await reached(shelf.get(key))
      if (kept !== undefined) return unpack(kept)
      const sent = args.filter((arg) => !(arg instanceof AbortSignal))
      const { failure } = await answers.of(key, { kind: 'asked', key, call, args: sent }, ASKED_WITHIN)
      if (failure !== undefined) throw sourceError(failure)
      const found = await reached(shelf.get(key))
      if (found === undefined) throw unreachable()
      return unpack(found)
    }
    return ask as unknown as Ask
  }

  let watching: NodeJS.Timeout | undefined
  /** After a silence chains may have been missed, and the connection that listens is made anew. */
  function watchSilence(): void {
    let wasSilent = false
    shelf.onUp(() => tellNewer())
    watching = setInterval(() => {
      const { isSilent } = answers
      if (isSilent && shelf.isUp) shelf.listenAnew()
      else if (wasSilent && !isSilent) tellNewer()
      wasSilent = isSilent
    }, LISTEN_ANEW_AFTER).unref()
  }

  const has = new Set(description.has)
  return {
    ...sourceOf(description),
    latest: () => (answers.isSilent ? Number.POSITIVE_INFINITY : latest),
    followed: {
      onNewer(listener) {
        listeners.push(listener)
        if (listeners.length === 1) watchSilence()
      },
      want(chains) {
        if (chains.length > 0)
          shelf.tell('requests', JSON.stringify({ kind: 'demand', chains } satisfies MemberRequest)).catch(() => {})
      }
    },
    async disconnect() {
      clearInterval(watching)
      await shelf.close()
    },
    async chain(symbol, _now, _signal, _check, maxAge = Number.POSITIVE_INFINITY) {
      const known = await shelved(symbol)
      if (known !== undefined && wallNow() - known.observedAt! <= maxAge) return known
      const request = { kind: 'chain', symbol, age: Math.min(maxAge, LONGEST_AGE) } as const
      const limit = known === undefined ? CHAIN_WITHIN : NEWER_WITHIN
      const asking = answers.of(chainKey(symbol), request, limit)
      if (known !== undefined) {
        // An older chain that is there serves, whatever came of the request.
        await asking.catch(() => {})
        return (await shelved(symbol).catch(() => undefined)) ?? known
      }
      const { unknown, failure } = await asking
      if (failure !== undefined) throw sourceError(failure)
      if (unknown) return undefined
      const found = await shelved(symbol)
      if (found === undefined) throw unreachable()
      return found
    },
    closingChain: asked('closingChain'),
    dailyBars: asked('dailyBars'),
    ...(has.has('closingQuotes') && { closingQuotes: asked('closingQuotes') }),
    ...(has.has('earnings') && { earnings: asked('earnings') }),
    ...(made?.minutePrices && { minutePrices: made.minutePrices }),
    // Rows of the prints come from the collector; nobody runs this feed here.
    ...(description.prints && { prints: { ...description.prints, run: () => Promise.reject(unreachable()) } })
  }
}

async function described(shelf: Shelf): Promise<SourceDescription> {
  const until = Date.now() + DESCRIBED_WITHIN
  for (;;) {
    const bytes = await shelf.get(SOURCE_KEY).catch(() => undefined)
    if (bytes !== undefined) return JSON.parse(Buffer.from(bytes).toString()) as SourceDescription
    if (Date.now() > until) throw new SourceError('unavailable', 'no collector has described its source yet: start one')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
  }
}

/** A source as it was described, which can be asked for nothing. */
function sourceOf({ has: _has, prints: _prints, suppliers, alternatives, ...plain }: SourceDescription): Connector {
  const refuse = async () => {
    throw unreachable()
  }
  return {
    ...plain,
    ...(suppliers && {
      suppliers: Object.fromEntries(
        servedCapabilities.map((capability) => [capability, sourceOf(suppliers[capability])])
      ) as Record<ServedCapability, Connector>
    }),
    ...(alternatives && { alternatives: alternatives.map(sourceOf) }),
    latest: () => Number.POSITIVE_INFINITY,
    chain: refuse,
    closingChain: refuse,
    dailyBars: refuse
  }
}

async function reached<Found>(found: Promise<Found>): Promise<Found> {
  try {
    return await found
  } catch {
    throw unreachable()
  }
}

const unreachable = () => new SourceError('unavailable', 'the collectors cannot be reached')

const sourceError = ({ fault, message, retryAfter }: SourceFailure) =>
  new SourceError(fault as SourceFault, message, retryAfter)
