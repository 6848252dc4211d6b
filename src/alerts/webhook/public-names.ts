import { type LookupAddress, type LookupOptions, Resolver } from 'node:dns'

export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

/** Milliseconds that a name server has for its answer, and how often it is asked. */
const resolver = new Resolver({ timeout: 2000, tries: 2 })

/**
 * Resolves a name by asking the name servers of the system. Unlike `dns.lookup` this takes no thread of the pool that
 * also reads files: users choose these names, and four that are never answered would hold up the whole process.
 */
export const publicNames: Resolve = (host, _options, done) => {
  let first: NodeJS.ErrnoException | null = null
  const found: LookupAddress[] = []
  let waiting = 2
  const collect = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[] | undefined) => {
    first ??= error
    for (const address of addresses ?? []) found.push({ address, family })
    if (--waiting === 0) done(found.length > 0 ? null : first, found)
  }
  resolver.resolve4(host, collect(4))
  resolver.resolve6(host, collect(6))
}
