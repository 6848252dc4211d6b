import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { screenerFields } from '../src/endpoints/screener/fields.ts'
import { planWith } from '../src/endpoints/screener/screen-plans.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/methods/screener.md'), 'utf8')
const mark = '<!-- fields: made from the declarations by test/docs-screener.test.ts -->'

/** The table of the fields, as the page has it. */
const table = [
  '| field | type | unit | plan | what |',
  '| --- | --- | --- | --- | --- |',
  ...[...screenerFields.byName.values()].map(({ name, type, unit, entitlement, note }) => {
    const cells = [`\`${name}\``, type, unit ?? '', planWith(entitlement).name, (note ?? '').replaceAll('|', '\\|')]
    return `| ${cells.join(' | ')} |`
  })
].join('\n')

test('the page of the screener lists every field as it is declared', async () => {
  const [before, after] = page.split(mark)
  expect(after).toBeDefined()
  // Renewed with: npx vitest run test/docs-screener.test.ts -u
  await expect(`${before}${mark}\n\n${table}\n`).toMatchFileSnapshot('../docs/methods/screener.md')
})
