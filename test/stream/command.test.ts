import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CommandError } from '../../src/stream/protocol/command-error.ts'
import { parseCommand } from '../../src/stream/session/session-command.ts'
import { faultOf } from './frames.ts'

const word = fc.constantFrom('subscribe', 'SPY', '_MARKET', 'exposure.gex.net_gex', 's_01', '', 'x'.repeat(300))
const anything = fc.oneof(word, fc.integer({ min: -1, max: 70_000 }), fc.double(), fc.boolean(), fc.constant(null))
const action = fc.constantFrom(
  ...['subscribe', 'subscribe_many', 'unsubscribe', 'list', 'catalog', 'status', 'configure', 'ping', 'resume']
)
const field = fc.constantFrom(
  ...['symbol', 'metric', 'cadence_ms', 'params', 'snapshot', 'on_change', 'echo', 'sub_id', 'all', 'page'],
  ...['prefix', 'value_type', 'heartbeat_ms', 'batch', 'token', 'req_id', 'items']
)
const value = fc.oneof(
  anything,
  fc.dictionary(fc.constantFrom('min_oi', 'expiration', 'a'), anything),
  fc.array(fc.record({ symbol: anything, metric: anything, cadence_ms: anything }, { requiredKeys: [] }), {
    maxLength: 3
  })
)
const frame = fc
  .tuple(action, fc.dictionary(field, value, { maxKeys: 5 }))
  .map(([name, fields]): Record<string, unknown> => ({ action: name, ...fields }))

test('every text is read as a command or as an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        frame.map((one) => JSON.stringify(one))
      ),
      (text) => {
        const { command, echo } = parseCommand(text)
        if (command instanceof CommandError) expect(faultOf('error_code', command.code)).toBeUndefined()
        const error = { type: 'error', code: 'internal', message: '', ts: 1, ...echo }
        expect(faultOf('error', error)).toBeUndefined()
      }
    ),
    { numRuns: 3000 }
  )
})

test('what fits the schema is a command, and a command without items fits the schema', () => {
  // Names of symbols and metrics are judged later, with a code of their own; fields that play no part are ignored.
  const judgedLater = /symbol|metric|params/
  fc.assert(
    fc.property(frame, (sent) => {
      const text = JSON.stringify(sent)
      const { command } = parseCommand(text)
      const fault = faultOf('client_frame', JSON.parse(text))
      if (fault === undefined) expect(command).not.toBeInstanceOf(CommandError)
      else if (!(command instanceof CommandError) && sent['action'] !== 'subscribe_many') {
        const shape =
          sent['action'] === 'catalog' || sent['action'] === 'status'
            ? `${sent['action']}_request`
            : `${sent['action']}`
        expect(faultOf(shape, JSON.parse(text)) ?? 'symbol').toMatch(judgedLater)
      }
    }),
    { numRuns: 3000 }
  )
})

test('a symbol or metric alone names no subscription, so it may stand beside another way to name one', () => {
  const commandOf = (fields: object) => parseCommand(JSON.stringify({ action: 'unsubscribe', ...fields })).command
  expect(commandOf({ all: true, symbol: 'SPY' })).toEqual({ action: 'unsubscribe', target: 'all' })
  expect(commandOf({ sub_id: 's_01', metric: 'x' })).toEqual({ action: 'unsubscribe', target: { subId: 's_01' } })
  expect(commandOf({ symbol: 'SPY' })).toMatchObject({ code: 'missing_field' })
  expect(commandOf({ all: true, symbol: 'SPY', metric: 'x' })).toMatchObject({ code: 'invalid_frame' })
})

test('the deepest nesting that a frame can hold is read like any other nonsense', () => {
  const { command } = parseCommand('['.repeat(65_536))
  expect(command).toMatchObject({ code: 'bad_json' })
})
