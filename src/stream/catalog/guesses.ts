// What is concluded from wire names as long as not every declaration carries its annotations (api/annotations.ts). One
// function for each guess; each is deleted, with its one call, when the declarations say it themselves.

import type { TSchema } from 'typebox'
import { type SchemaNode, topField } from './schema.ts'

type Properties = Readonly<Record<string, SchemaNode>>

const dates = ['expiry', 'expiration']
const words = ['bucket', 'move_pct', 'move']

/**
 * GUESS for 'x-row-key'. A strike alone or a date alone tells rows apart; rows with both, or with a side, are contracts
 * and are known by their position in a ranking.
 */
export function guessRowKey(properties: Properties): string | undefined {
  const has = (name: string) => Object.hasOwn(properties, name)
  const date = dates.find(has)
  if (has('type')) return undefined
  if (has('strike')) return date === undefined ? 'strike' : undefined
  return date ?? words.find(has)
}

/** GUESS for 'x-row-name': the fields that name a contract. */
export function guessRowName(properties: Properties): readonly string[] {
  const names = ['expiry', 'expiration', 'strike', 'type', 'symbol', 'name']
  return names.filter((name) => Object.hasOwn(properties, name))
}

const mainBlocks: Readonly<Record<string, string>> = {
  'exposure.summary': 'exposures',
  'exposure.levels': 'levels',
  'exposure.zero_dte': 'exposures',
  'vrp.current': 'vrp',
  'stock.summary': 'exposure'
}

/** GUESS for `mainBlock` of a declaration, by the prefix of its metrics. */
export function guessMainBlock(prefix: string): string | undefined {
  return mainBlocks[prefix]
}

/** GUESS for 'x-moment': the field at the top of an answer that tells the moment it describes. */
export function guessMomentField(response: TSchema): string | undefined {
  return topField(response, (name) => name === 'as_of') ?? topField(response, (name) => name === 'lastUpdate')
}

/** GUESS for 'x-spot': the field at the top of an answer that holds the spot of its chain. */
export function guessSpotField(response: TSchema): string | undefined {
  return topField(response, (name) => name === 'underlying_price')
}
