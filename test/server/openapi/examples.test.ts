import { expect, test } from 'vitest'
import { features } from '../../../src/api/feature.ts'
import { endpointsWith } from '../../../src/endpoints/index.ts'
import { askedExamples } from './asked-examples.ts'

// `npm run docs` writes the file anew.
test('the examples of the documents are what the service answers on the scripted day', async () => {
  const examples = await askedExamples(endpointsWith(features))
  const lines = Object.entries(examples).map(
    ([name, example]) => `  ${JSON.stringify(name)}: ${JSON.stringify(example)}`
  )
  await expect(`${head}${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('../../../src/server/openapi/examples.ts')
})

const head = `// What each operation answered on the day of the tests, cut to three rows. Made by \`npm run docs\`; a test keeps it true.

/** One request and its answer for each operation, by the id of the operation. */
export const examples: Readonly<Record<string, { readonly request: string; readonly answer: unknown }>> = {
`
