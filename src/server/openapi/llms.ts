interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly description?: string
  /** A parameter of all operations, described once. */
  readonly 'x-form'?: true
}
interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly 'x-plan': string
  readonly 'x-alias-of'?: string
  readonly parameters: readonly Parameter[]
}
interface Document {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const QUOTE =
  "> Options exposure analytics from the operator's own market data, by HTTP: dealer gamma, delta, vanna and charm exposure, key levels, flow and volatility, live and at past moments."

/** The list of operations for language models, in the form of llmstxt.org: one link with a sentence for each. */
export function llmsText(document: object): string {
  const read = document as Document
  const sections = sectionsOf(read, ({ method, path, operation }) => {
    const { tags, operationId, summary } = operation
    return `- [${method} ${path}](swagger#/${tags[0]}/${operationId}): ${summary}`
  })
  return `# gammawall\n\n${QUOTE}\n\n${pages}\n${sections}`
}

/** What an operation is for, what it takes and what it is made from, for all operations in one text. */
export function llmsFullText(document: object): string {
  const read = document as Document
  const sections = sectionsOf(read, ({ method, path, operation }) => {
    const { summary, description, parameters } = operation
    const own = parameters.filter(({ 'x-form': isOfForm }) => isOfForm !== true)
    const taken = own.map(
      ({ name, required, description: meaning }) => `- ${name}${required ? ', required' : ''}: ${meaning}`
    )
    return [`### ${method} ${path}\n\n${summary}. Least plan: ${operation['x-plan']}.`, description, taken.join('\n')]
      .filter((text) => text !== '')
      .join('\n\n')
      .concat('\n')
  })
  return `# gammawall ${read.info.version}\n\n${QUOTE}\n\n${read.info.description}\n\n${pages}\n${sections}`
}

const pages = `- [Documentation](docs): how to use and run the service, and the method behind every figure
- [OpenAPI document](openapi.json): every operation with its parameters, fields, units and an example
- [Interactive pages](swagger): the same, to try out
- [The whole text](llms-full.txt): what every operation is for and what it takes
`

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** All operations by tag, in the order of the document. Further paths of an operation are left out. */
function sectionsOf({ tags, paths }: Document, textOf: (listed: Listed) => string): string {
  const listed = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
  const own = listed.filter(({ operation }) => operation['x-alias-of'] === undefined)
  return tags
    .map(({ name, description }) => {
      const rows = own.filter(({ operation }) => operation.tags.includes(name)).map(textOf)
      return `\n## ${name}\n\n${description}\n\n${rows.join('\n')}\n`
    })
    .join('')
}
