import { expect, test } from 'vitest'
import { nearest } from '../../src/api/nearest.ts'

const names = ['exposure.gex.net_gex', 'exposure.gex.gamma_flip', 'exposure.gex.net_gex_label', 'exposure.dex.net_dex']

test('a mistyped name leads to those it may have meant, nearest first', () => {
  expect(nearest('exposure.gex.net_gx', names)).toEqual([
    'exposure.gex.net_gex',
    'exposure.dex.net_dex',
    'exposure.gex.net_gex_label'
  ])
  expect(nearest('exposure.gex.net_gx', names, 1)).toEqual(['exposure.gex.net_gex'])
})

test('two letters that changed places are one slip', () => {
  expect(nearest('prot', ['host', 'port', 'data'])).toEqual(['port'])
})

test('a name like no other leads nowhere', () => {
  expect(nearest('something', names)).toEqual([])
  expect(nearest('', ['a'])).toEqual([])
})
