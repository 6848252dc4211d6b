import { expect, test } from 'vitest'
import { wireTypes } from '../../src/api/wire-types.ts'
import { endpoints } from '../../src/endpoints/index.ts'

test('the types of the client say what the endpoints declare', async () => {
  await expect(wireTypes(endpoints)).toMatchFileSnapshot('../../src/client/endpoint-types.ts')
})
