import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Words } from '../../api/quantity.ts'
import { levels } from '../../screener/field.ts'
import { screenerFields } from './fields.ts'

const listed = [...screenerFields.byName.values()]
  .map(({ name, type, level, plan }) => ({ name, type, level, min_plan: plan }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

export const screenerFieldList = endpoint({
  id: 'screener.fields',
  path: '/v1/screener/fields',
  tag: 'screener',
  summary: 'Names and types usable in screener requests',
  plan: 'free',
  needs: ['now'],
  params: {},
  replay: false,
  stream: false,
  response: Type.Object({
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Words('number', 'string', 'boolean'),
        level: Words(...levels),
        min_plan: Words('growth', 'alpha')
      })
    ),
    count: Count()
  }),
  answer: () => ({ fields: listed, count: listed.length })
})
