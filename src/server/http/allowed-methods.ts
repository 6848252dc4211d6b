import type { FastifyInstance } from 'fastify'

export interface AllowedMethods {
  /** Methods of a requested path in alphabetical order; empty if there is no such path. */
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
 * Converts a route pattern of Fastify to a regular expression: `:symbol` is anything but a slash, a star is anything.
 */
function patternOf(url: string): RegExp {
  const plain = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${plain.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
}
