import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Name, Words } from '../../api/quantity.ts'
import { fieldLevels } from '../../screener/screener-field.ts'
import { screenerFields } from './fields.ts'
import { planWith, screenPlans } from './screen-plans.ts'

const listed = [...screenerFields.byName.values()]
  .map(({ name, type, level, entitlement }) => ({ name, type, level, min_plan: planWith(entitlement).id }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

export const screenerFieldList = endpoint({
  id: 'screener.fields',
  path: '/v1/screener/fields',
  tag: 'screener',
  summary: 'Fields and types that screener requests may use',
  description: 'What a screener request may name: every field with its type, level, unit and plan.',
  plan: 'free',
  needs: ['now'],
  params: {},
  replay: false,
  stream: false,
  response: Type.Object({
    fields: Type.Array(
      Type.Object(
        {
          name: Name(),
          type: Words('number', 'string', 'boolean'),
          level: Words(...fieldLevels),
          min_plan: Words(...screenPlans)
        },
        { title: 'ScreenerField' }
      ),
      rowKey('name')
    ),
    count: Count()
  }),
  answer: () => ({ fields: listed, count: listed.length })
})
