import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { parseWholeNumber, readPrivateSocket } from '../port/setting-text.ts'
import { MASSIVE_NEEDS_KEY, massiveAccountSettings, massiveTerms } from './massive-account.ts'

/** Delay of the data in each of the vendor's plans, seconds. */
const feeds = { realtime: 0, delayed: 900 } as const
type Feed = keyof typeof feeds
const streams: Readonly<Record<Feed, string>> = {
  realtime: 'wss://socket.massive.com',
  delayed: 'wss://delayed.massive.com'
}

const settings = {
  'massive-key': massiveAccountSettings['massive-key'],
  'massive-feed': {
    value: 'name',
    help: 'realtime or delayed (15 minutes), by the plan of the key',
    fallback: 'realtime',
    parse: (text): Feed | undefined => (Object.hasOwn(feeds, text) ? (text as Feed) : undefined),
    expected: 'realtime or delayed'
  },
  'massive-quotes': {
    value: 'count',
    help: 'option contracts of which quotes are streamed too, for plans that include quotes: 0 to 1000',
    fallback: '0',
    parse: parseWholeNumber(0, 1000),
    expected: 'a whole number from 0 to 1000'
  },
  'massive-requests': massiveAccountSettings['massive-requests'],
  'massive-url': massiveAccountSettings['massive-url'],
  'massive-stream': {
    value: 'address',
    help: 'where prints are streamed (default: by --massive-feed)',
    parse: readPrivateSocket,
    expected: 'a wss address, or a ws address of this machine'
  }
} as const satisfies ConnectorSettings

export const massive: ConnectorDeclaration<typeof settings> = {
  name: 'massive',
  provides: ['prints', 'chains', 'bars'],
  synthetic: false,
  terms: massiveTerms,
  settings,
  refusal({ 'massive-key': key }, { asOf }) {
    if (asOf !== undefined) return '--as-of needs recorded data: Massive goes on with the clock'
    return key === undefined ? MASSIVE_NEEDS_KEY : undefined
  },
  async create(values, { budget, onAnswer, onFrame }) {
    const { createMassive } = await import('./massive-connector.ts')
    const feed = values['massive-feed']
    return createMassive({
      key: values['massive-key'] ?? '',
      stream: values['massive-stream'] ?? streams[feed],
      url: values['massive-url'],
      delay: feeds[feed],
      quotes: values['massive-quotes'],
      requestsPerSecond: values['massive-requests'],
      budget,
      onAnswer,
      onFrame
    })
  }
}
