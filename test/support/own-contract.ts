import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../docs/contract')

/** Files that state operations of the service's own, in the shape of the published contract. */
export const ownContractFiles = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => resolve(folder, name))
