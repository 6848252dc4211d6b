import { expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { adminPaths } from '../../src/server/admin/admin.ts'
import { alertPaths } from '../../src/server/alerts/mount-alerts.ts'
import { documentPaths } from '../../src/server/documents/mount-documents.ts'
import { embedDocument } from '../../src/server/embed/embed-document.ts'
import { openApiDocument } from '../../src/server/openapi/openapi.ts'
import { pythonArrays } from '../../src/server/openapi/python-arrays.ts'
import { type Document, pythonModules } from '../../src/server/openapi/python-client.ts'
import { streamDocument } from '../../src/server/stream/stream-document.ts'

// `npm run docs` writes these modules anew.
const document = openApiDocument(endpoints, {
  version: 'any',
  extraPaths: { ...adminPaths, ...alertPaths, ...documentPaths, ...streamDocument, ...embedDocument }
}) as Document
const replayed = new Set(endpoints.filter(({ replay }) => replay).map(({ path }) => path))
const modules = pythonModules(document, replayed)

test.each([
  ['_types.py', modules.types],
  ['_operations.py', modules.operations],
  ['_async_operations.py', modules.asyncOperations],
  ['_arrays.py', pythonArrays(endpoints)]
])('%s of the Python client says what the declarations say', async (name, source) => {
  await expect(source).toMatchFileSnapshot(`../../python/src/gammawall/${name}`)
})
