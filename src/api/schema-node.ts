import type { Annotations } from './annotations.ts'

/**
 * A JSON schema as seen by code that walks through schemas: the standard keywords that our declarations use, and our
 * own (x-).
 */
export interface SchemaNode extends Annotations {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly allOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly 'x-unit'?: string
  readonly 'x-decimals'?: number
  readonly 'x-significant'?: number
}
