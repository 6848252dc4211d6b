import Type from 'typebox'
import { expect, test } from 'vitest'
import { block } from '../../src/api/block.ts'
import { Nullable, Price } from '../../src/api/quantity.ts'
import { textSerializerOf } from '../../src/api/serializer.ts'

const wallBlock = block(
  Type.Object({ strike: Price(), wall: Nullable(Price()) }),
  (strike: number, wall: number | undefined) => ({ strike, wall })
)

test('what a block fills is written by its schema, alone and as part of another', () => {
  expect(textSerializerOf(wallBlock.schema)(wallBlock.fill(100.123456, undefined))).toBe(
    '{"strike":100.1235,"wall":null}'
  )
  const whole = Type.Object({ symbol: Type.String(), ...wallBlock.schema.properties })
  expect(textSerializerOf(whole)({ symbol: 'SPY', ...wallBlock.fill(100, 105) })).toBe(
    '{"symbol":"SPY","strike":100,"wall":105}'
  )
})
