import type { Chance } from './chance.ts'
import { hostileValue, type Known, spoiled } from './hostile-values.ts'

// Commands of a client of the stream: sound, spoiled in one place, or nothing a client would send.

/** A frame as it goes over the wire; `text` false sends it as binary. */
export interface ClientFrame {
  readonly data: string | Buffer
  readonly text: boolean
}

export function hostileFrame(metrics: readonly string[], known: Known, chance: Chance): ClientFrame {
  if (chance.happens(0.03)) return { data: Buffer.from([chance.below(256), 0, 255]), text: false }
  const command = commandOf(metrics, known, chance)
  if (chance.happens(0.5)) return { data: JSON.stringify(command), text: true }
  if (chance.happens(0.8)) return { data: JSON.stringify(spoiled(command, chance)) ?? 'null', text: true }
  const whole = JSON.stringify(command)
  const data = chance.pick([
    '',
    'null',
    '[]',
    '{}',
    '"subscribe"',
    whole.slice(0, chance.below(whole.length)),
    `${'['.repeat(20_000)}`,
    `{"action":"subscribe","symbol":"SPY","metric":"exposure.gex.${'x'.repeat(100_000)}"}`,
    '{"__proto__":{"action":"ping"}}',
    '"\\ud800"',
    `{"action":"ping","req_id":"${'r'.repeat(70)}"}`,
    '{"action":"ping","req_id":1e400}'
  ])
  return { data, text: true }
}

function commandOf(metrics: readonly string[], known: Known, chance: Chance): Record<string, unknown> {
  const item = () => ({
    symbol: chance.happens(0.9) ? chance.pick(known.get('symbol') ?? ['SPY']) : chance.pick(['_MARKET', 'ZZZZ', 'spy']),
    metric: metricOf(metrics, known, chance),
    ...(chance.happens(0.6) && { cadence_ms: chance.pick([0, 100, 250, 1000, 60_000, 99, -1, 1.5]) }),
    ...(chance.happens(0.3) && { params: { [chance.pick(['expiration', 'min_oi', 'x'])]: hostileValue({}, chance) } }),
    ...(chance.happens(0.3) && {
      on_change: chance.happens(0.5),
      snapshot: chance.happens(0.5),
      echo: chance.happens(0.5)
    })
  })
  const req_id = chance.happens(0.7) ? { req_id: chance.below(1e6) } : {}
  switch (chance.below(12)) {
    case 0:
    case 1:
    case 2:
      return { action: 'subscribe', ...item(), ...req_id }
    case 3:
      return { action: 'subscribe_many', items: Array.from({ length: 1 + chance.below(5) }, item), ...req_id }
    case 4:
      return { action: 'unsubscribe', all: true, ...req_id }
    case 5:
      return { action: 'unsubscribe', sub_id: `s_${chance.below(40)}`, ...req_id }
    case 6:
      return { action: chance.pick(['list', 'status', 'ping']), ...req_id }
    case 7:
      return {
        action: 'catalog',
        prefix: chance.pick(['exposure.gex', 'zzz', '', 'maxpain']),
        page: chance.pick([1, 0, 99]),
        ...req_id
      }
    case 8:
      return {
        action: 'configure',
        heartbeat_ms: chance.pick([0, 1000, 60_000, 999]),
        batch: chance.happens(0.5),
        ...req_id
      }
    case 9:
      return { action: 'resume', token: chance.pick(['x', '', 'a'.repeat(400)]), ...req_id }
    case 10:
      return { action: 'unsubscribe', symbol: 'SPY', metric: metricOf(metrics, known, chance), ...req_id }
    default:
      return { action: chance.pick(['Subscribe', 'drop', '__proto__', '']), ...req_id }
  }
}

/** A metric of the catalog, its open selectors filled with something that fits or does not. */
function metricOf(metrics: readonly string[], known: Known, chance: Chance): string {
  const expirations = known.get('expiration') ?? []
  return chance
    .pick(metrics)
    .replaceAll(
      '[*]',
      () =>
        `[${chance.pick(['atm', 'atm+1', 'front', '#0', '#99', '600', '0-7d', '', '*', ...expirations.slice(0, 2)])}]`
    )
}
