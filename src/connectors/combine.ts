import { completedSession } from '../market/calendar.ts'
import { type ServedCapability, servedCapabilities } from './port/capability.ts'
import type { Connector } from './port/connector.ts'
import { SourceError } from './port/source-error.ts'

/**
 * Connector that supplies each capability (chains, bars, prints). One connector may supply several. Only prints may be
 * left without a source.
 */
export type Suppliers = Readonly<Record<ServedCapability, Connector>>

/**
 * Combines several connectors into one that takes each capability from its supplier. The result has the name, moments
 * and symbols of the connector that supplies chains. Throws if real and made-up figures would be combined.
 */
export function combine(suppliers: Suppliers): Connector {
  const { chains, bars, prints } = suppliers
  const others = [...new Set([bars, prints])].filter((supplier) => supplier !== chains)
  if (others.length === 0) return chains
  for (const { name, synthetic } of others) {
    if (synthetic !== chains.synthetic) {
      throw new Error(`${chains.name} and ${name} cannot be combined: one of them is made up`)
    }
  }
  if (chains.fixedAt !== undefined && prints !== chains) {
    const sentence = `the chains of ${chains.name} stand at one moment, and the prints of ${prints.name} go on with the clock`
    throw new SourceError('refused', `${sentence}: leave out --prints`)
  }
  const supplied = servedCapabilities.filter((capability) => suppliers[capability].provides.includes(capability))
  const combined: Connector = { ...chains, provides: supplied, suppliers, prints: prints.prints }
  if (bars === chains) return { ...combined, provides: [...new Set([...supplied, ...chains.provides])] }
  return {
    ...combined,
    async dailyBars(symbol, now, signal) {
      const known = await bars.dailyBars(symbol, now, signal)
      const last = completedSession(now).date
      return known.filter(({ date }) => date <= last)
    }
  }
}
