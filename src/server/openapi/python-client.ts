// The generated modules of the Python client, from the OpenAPI document. `npm run docs` writes them.

import { classCase, docString, parameterName, pythonText, snakeCase } from './python-names.ts'
import { pythonType, pythonTypes, type Schema } from './python-types.ts'
import { type RowArray, rowArraysOf } from './row-arrays.ts'

export interface PythonModules {
  /** `_types.py`: a class for each object. */
  readonly types: string
  /** `_operations.py`: groups of methods that return. */
  readonly operations: string
  /** `_async_operations.py`: the same, to be awaited. */
  readonly asyncOperations: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  /** How the answer is written, which this client decides by itself. */
  readonly 'x-form'?: true
}

interface Content {
  readonly 'application/json'?: { readonly schema: Schema }
}

interface DocumentOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly 'x-id'?: string
  readonly 'x-alias-of'?: string
  readonly 'x-deprecation'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Method {
  readonly group: string
  /** `__call__` for an operation that the group is named after. */
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: DocumentOperation
  readonly isReplayable: boolean
}

const heading =
  '"""Made from the declarations of the service by `npm run docs`; do not edit."""\n\nfrom __future__ import annotations\n\n'

/** Writes the generated modules. `replayed` are the paths that the replay host answers. */
export function pythonModules(document: Document, replayed: ReadonlySet<string>): PythonModules {
  const methods = methodsOf(document, replayed)
  return {
    types: typesModule(document),
    operations: operationsModule(methods, document, false),
    asyncOperations: operationsModule(methods, document, true)
  }
}

function typesModule({ components }: Document): string {
  const imports = [
    'from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union',
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import NotRequired'
  ]
  return `${heading}${imports.join('\n')}\n\n\n${pythonTypes(components.schemas)}`
}

function methodsOf({ paths }: Document, replayed: ReadonlySet<string>): readonly Method[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]): readonly Method[] => {
      if (operation['x-alias-of'] !== undefined) return []
      const [group, ...rest] = (operation['x-id'] ?? `${operation.tags[0]}.${snakeCase(operation.operationId)}`).split(
        '.'
      )
      const name = rest.join('_') === 'current' ? '__call__' : rest.join('_')
      const isReplayable = verb === 'get' && replayed.has(path)
      return [{ group, name, verb: verb.toUpperCase(), path, operation, isReplayable }]
    })
  )
}

function operationsModule(methods: readonly Method[], document: Document, isAsync: boolean): string {
  const groups = new Map<string, Method[]>()
  for (const method of methods) groups.set(method.group, [...(groups.get(method.group) ?? []), method])
  const base = isAsync ? 'AsyncGroup' : 'Group'
  const prefix = isAsync ? 'Async' : ''
  const call = isAsync ? 'AsyncCall' : 'Call'
  const classes = [...groups].map(([group, members]) => {
    const body = members.map((method) => methodSource(method, document, isAsync)).join('\n')
    return `class ${prefix}${classCase(group)}(${base}):\n${body}`
  })
  const attributes = [...groups.keys()].map((group) => `        self.${group} = ${prefix}${classCase(group)}(call)\n`)
  const every = `class ${prefix}Operations:\n    """All operations, in groups."""\n\n    def __init__(self, call: ${call}):\n${attributes.join('')}`
  const imports = [
    'from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union',
    '',
    'from ._hosts import Moment, Text',
    `from ._operation import ${call}, ${base}, Operation, RowArray`,
    'from .answer import Answer',
    '',
    'if TYPE_CHECKING:',
    '    from ._types import *'
  ]
  return `${heading}${imports.join('\n')}\n\n\n${[...classes, every].join('\n\n')}`
}

function methodSource(method: Method, document: Document, isAsync: boolean): string {
  const { name, verb, path, operation, isReplayable } = method
  const parameters = (operation.parameters ?? []).filter(
    ({ in: place, 'x-form': isOfForm }) => (place === 'path' || place === 'query') && isOfForm !== true
  )
  const schema = answerOf(operation)
  const body = operation.requestBody?.content['application/json']?.schema
  const signature = [
    'self',
    ...parameters.filter(isPositional).map((one) => `${parameterName(one.name)}: ${typeOfParameter(one)}`),
    ...(body === undefined ? [] : [bodyParameter(pythonType(body), operation)]),
    ...keywordOnly([
      ...parameters.filter((one) => !isPositional(one)).map(optionalParameter),
      ...(isReplayable ? ['at: Optional[Moment] = None'] : [])
    ])
  ]
  const described = parameters.filter(({ description = '' }) => description !== '')
  const ending = operation['x-deprecation']
  const doc = [
    operation.summary,
    ...(ending === undefined ? [] : ['', `        ${ending}`]),
    ...(described.length === 0 ? [] : ['']),
    ...described.map(({ name, description }) => `        ${parameterName(name)}: ${description}`),
    ...(described.length === 0 ? [] : ['        '])
  ].join('\n')
  const result = schema === undefined ? 'Answer[Any]' : `Answer[${pythonType(schema)}]`
  const pairs = rowsOf(operation, document).map(
    ({ path, key }) => `RowArray(${pythonText(path)}, ${key === undefined ? 'None' : pythonText(key)})`
  )
  const declared = [
    pythonText(verb),
    pythonText(path),
    isReplayable ? 'True' : 'False',
    ...(pairs.length === 0 ? [] : [`(${pairs.join(', ')},)`])
  ].join(', ')
  const sent = `{${parameters.map((one) => `${pythonText(one.name)}: ${parameterName(one.name)}`).join(', ')}}`
  const call = `self._call(Operation(${declared}), ${sent}, ${body === undefined ? 'None' : 'body'}, ${isReplayable ? 'at' : 'None'})`
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(${signature.join(', ')}) -> ${pythonText(result)}:\n`,
    docString(doc, '        '),
    `        return ${isAsync ? 'await ' : ''}${call}\n`
  ].join('')
}

/** Schema of the answer; undefined if it is no JSON. */
function answerOf({ responses }: DocumentOperation): Schema | undefined {
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content
  return answer?.['application/json']?.schema
}

function rowsOf(operation: DocumentOperation, { components }: Document): readonly RowArray[] {
  const schema = answerOf(operation)
  return schema === undefined ? [] : rowArraysOf(schema, components.schemas)
}

const isPositional = ({ in: place }: Parameter) => place === 'path'

const keywordOnly = (parameters: readonly string[]) => (parameters.length === 0 ? [] : ['*', ...parameters])

const bodyParameter = (type: string, { requestBody }: DocumentOperation) =>
  requestBody?.required === false ? `body: ${pythonText(`Optional[${type}]`)} = None` : `body: ${pythonText(type)}`

function optionalParameter(parameter: Parameter): string {
  const name = parameterName(parameter.name)
  const type = typeOfParameter(parameter)
  return parameter.required ? `${name}: ${type}` : `${name}: Optional[${type}] = None`
}

/** Annotation of a parameter of the address. */
function typeOfParameter({ schema }: Parameter): string {
  const { type, enum: words } = schema
  if (words !== undefined) return `Literal[${words.map((word) => JSON.stringify(word)).join(', ')}]`
  return type === 'integer' ? 'int' : type === 'number' ? 'float' : type === 'boolean' ? 'bool' : 'Text'
}
