import type { FastifyInstance } from 'fastify'

/** The methods that each path of a host takes, for the refusal of another one. */
export interface AllowedMethods {
  /** The methods of a path as it was asked for, in the order of the alphabet; none for a path that is not there. */
  at(path: string): readonly string[]
}

/** Follows the routes that are mounted from now on. */
export function allowedMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return // OPTIONS, which every path takes
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

/** A path of the framework as a pattern: :symbol is anything but a slash, a star is anything. */
function patternOf(url: string): RegExp {
  const plain = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${plain.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
}
