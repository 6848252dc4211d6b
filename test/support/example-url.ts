import type { Endpoint } from '../../src/api/endpoint.ts'

/** A request to an endpoint with the examples of its path, its required parameters and its body. */
export function exampleUrl({ path, params, body }: Endpoint) {
  const query = new URLSearchParams()
  let url = path
  for (const [name, { in: place, required, example }] of Object.entries(params)) {
    if (place === 'path') url = url.replace(`{${name}}`, example)
    else if (required) query.set(name, example)
  }
  if (query.size > 0) url += `?${query}`
  return { url, method: body === undefined ? 'GET' : 'POST', payload: body?.example as object | undefined } as const
}
