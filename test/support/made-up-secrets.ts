import { randomBytes } from 'node:crypto'
import type { SigningSecrets } from '../../src/accounts/secrets.ts'

/** The secrets of a service in process that shares them with no other. */
export const madeUpSecrets = (): SigningSecrets => ({ valid: [randomBytes(32)] })
