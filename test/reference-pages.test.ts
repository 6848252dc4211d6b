import { expect, test } from 'vitest'
import { defaultPlans } from '../src/api/plan.ts'
import { settingSections } from '../src/config/settings.ts'
import { connectors } from '../src/connectors/registry.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { endpointsPage, idleNotes, settingsPage } from './support/reference-pages.ts'

// `npm run docs` writes these pages anew.
const sections = settingSections(connectors)

test('the page of endpoints says what the declarations say', async () => {
  await expect(endpointsPage(endpoints, defaultPlans)).toMatchFileSnapshot('../docs/endpoints.md')
})

test('the page of settings says what the declarations say', async () => {
  await expect(settingsPage(sections)).toMatchFileSnapshot('../docs/settings.md')
})

test('every note belongs to an endpoint or a setting', () => {
  expect(idleNotes(endpoints, sections)).toEqual([])
})
