import { type FakeService, type Json, refusal } from './service.ts'

interface Change {
  readonly path: string
  /** The state that the change was made from. */
  readonly held: string | undefined
  readonly body: Json
}

/** Keeps documents of the reader like the service, in a map by kind and name. Gives back the changes. */
export function keeping(service: FakeService, kept: Map<string, Json>): readonly Change[] {
  const changes: Change[] = []
  const tagOf = (value: Json) => `W/"${JSON.stringify(value)?.length}"`
  service.rules.unshift((url, { method, headers, body }) => {
    const [, , me, kind, id] = url.pathname.split('/')
    if (me !== 'me') return undefined
    if (id === undefined) {
      const documents = [...kept].filter(([name]) => name.startsWith(`${kind}/`))
      return { body: { documents: documents.map(([name, value]) => ({ id: name.split('/')[1], value })) } }
    }
    const name = `${kind}/${id}`
    if (method === 'PUT') {
      const held = headers['if-match']
      changes.push({ path: name, held, body })
      if (held !== undefined && held !== tagOf(kept.get(name))) return refusal(409, 'document_changed')
      kept.set(name, body)
    } else if (!kept.has(name)) return refusal(404, 'document_not_found')
    const value = kept.get(name)
    if (method === 'DELETE') kept.delete(name)
    return { body: { id, value }, headers: { etag: tagOf(value) } }
  })
  return changes
}
