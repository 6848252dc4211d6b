import type { FastifyInstance } from 'fastify'

export interface AllowedMethods {
  /** HTTP methods that a path accepts, in alphabetical order. Empty if the path does not exist. */
  at(path: string): readonly string[]
}

export function allowedMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const each of [method].flat()) route.methods.add(each)
    routes.set(url, route)
  })
  return {
    at(path) {
      const found = [...routes.values()].filter(({ pattern }) => pattern.test(path))
      const methods = found.flatMap((route) => [...route.methods])
      return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
    }
  }
}

/**
 * Converts a route pattern of Fastify to a regular expression. A name such as `:symbol` matches anything but a slash, a
 * star matches anything.
 */
function patternOf(url: string): RegExp {
  const plain = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${plain.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
}
