import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../src/api/endpoint.ts'
import { envelope, header } from '../../src/api/envelope.ts'
import { symbolInPath } from '../../src/api/params.ts'
import { Level, Nullable } from '../../src/api/quantity.ts'
import { partTable } from '../../src/api/rows/table-part.ts'
import { wireTypes } from '../../src/api/wire-types.ts'
import { chartFigures } from '../../src/app/chart-figures.ts'
import { scopeFor } from '../../src/endpoints/exposure/scoped.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { gammaFlip } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { operationOf } from '../../src/server/mcp/api-operation.ts'
import { Finder } from '../../src/server/mcp/find.ts'
import { toolsOf } from '../../src/server/mcp/toolbox.ts'
import { llmsFullText, llmsText } from '../../src/server/openapi/llms.ts'
import { openApiDocument } from '../../src/server/openapi/openapi.ts'
import { postmanText } from '../../src/server/openapi/postman.ts'
import { pythonArrays } from '../../src/server/openapi/python-arrays.ts'
import { type Document, pythonModules } from '../../src/server/openapi/python-client.ts'
import { declaredWidgets } from '../../src/server/openbb/widgets.ts'
import { catalogOf } from '../../src/stream/catalog/catalog.ts'

/** The endpoint in ten lines of ARCHITECTURE.md, under an address of its own. */
const added = endpoint({
  id: 'exposure.drift',
  path: '/v1/exposure/drift/{symbol}',
  tag: 'exposure',
  summary: 'Gamma flip of the full chain',
  plan: 'free',
  needs: ['chain'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({ ...envelope, drift_flip: Nullable(Level('spot at which net gamma crosses zero')) }),
  answer: ({ chain }) => ({ ...header(chain), drift_flip: gammaFlip(scopeFor(chain, undefined)) })
})

/** Everything that is made from the declarations, as text: a new kind is one line here. */
function texts(declared: typeof endpoints): Readonly<Record<string, string>> {
  const document = openApiDocument(declared, { version: 'any' })
  const python = pythonModules(document as Document, new Set([added.path]))
  return {
    'the OpenAPI document': JSON.stringify(document),
    'the collection for Postman': postmanText(document),
    'llms.txt': llmsText(document),
    'llms-full.txt': llmsFullText(document),
    'the types of the TypeScript client': wireTypes(declared),
    'the methods of the Python client': python.operations,
    'the awaited methods of the Python client': python.asyncOperations,
    'the arrays of the Python client': pythonArrays(declared),
    'the metrics of the stream': JSON.stringify(
      catalogOf(declared).page({ prefix: added.id, valueType: undefined, page: 1 })
    ),
    'the tools of assistants': JSON.stringify(toolsOf(declared.map(operationOf)).map(({ views }) => views)),
    'what assistants find': JSON.stringify(new Finder(toolsOf(declared.map(operationOf))).find('drift flip')),
    'the tables of CSV and Arrow': declared
      .flatMap((each) => partTable(each, {}).columns.map(({ name }) => name))
      .join(),
    'the widgets of OpenBB': JSON.stringify(declaredWidgets(declared, chartFigures))
  }
}

describe('an endpoint of ten lines, once it is in the list,', () => {
  const before = texts(endpoints)
  const after = texts([...endpoints, added])

  test.each(Object.keys(after))('is in %s with no further line', (name) => {
    const itsName = /exposure[./]drift|drift_flip/
    expect(before[name]).not.toMatch(itsName)
    expect(after[name]).toMatch(itsName)
  })
})
