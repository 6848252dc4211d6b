// The generated module of the Python client that says which arrays the answers of a bulk request have.

import type { Endpoint } from '../../api/endpoint.ts'
import { answerTables, FLAT } from '../../api/rows/answer-table.ts'
import { arraysOf } from '../../api/rows/arrays.ts'
import { rowNames } from '../../api/rows/table-part.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { isBulkSource } from '../bulk/bulk-answers.ts'
import { pythonText } from './python-names.ts'

const heading = `"""Made from the declarations of the service by \`npm run docs\`; do not edit."""

from __future__ import annotations

from typing import Dict, Tuple

from .answer import RowArray

`

/**
 * Writes `_arrays.py`: the arrays of every operation that has past answers in bulk, by its id. The first is the one that
 * is meant where nobody names one; its path is empty where that is the figures of the answer.
 */
export function pythonArrays(endpoints: readonly Endpoint[]): string {
  const entries = endpoints.filter((one) => isBulkSource(one) && one.replay).map(entryOf)
  return `${heading}ARRAYS: Dict[str, Tuple[RowArray, ...]] = {\n${entries.join('')}}\n`
}

function entryOf(endpoint: Endpoint): string {
  const keys = new Map(arraysOf(endpoint.response as SchemaNode).map(({ path, key }) => [path, key]))
  const names = rowNames(endpoint)
  const { main } = answerTables(endpoint)
  const paths = [main === FLAT ? '' : main, ...names.filter((name) => name !== main)]
  const arrays = paths.map((path) => {
    const key = path === '' ? undefined : keys.get(path)
    return `RowArray(${pythonText(path)}, ${key === undefined ? 'None' : pythonText(key)})`
  })
  return `    ${pythonText(endpoint.id)}: (${arrays.join(', ')},),\n`
}
