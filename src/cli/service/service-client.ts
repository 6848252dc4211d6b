import { readDemoKeys } from '../../accounts/demo-keys.ts'
import type { PlanId } from '../../api/plan.ts'
import { type Client, type ClientOptions, createClient } from '../../client/client.ts'
import { ConfigError } from '../../config/config.ts'
import { KEY_VARIABLE } from '../../config/settings.ts'

export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Creates a client; throws a ConfigError if an address is invalid. */
export function clientOf(options: ClientOptions): Client {
  try {
    return createClient(options)
  } catch {
    throw new ConfigError(['--url and --stream-url must be http or https addresses'])
  }
}

/**
 * API key for requests: from the flag, otherwise from GAMMAWALL_KEY, otherwise the demo key of the first of these plans that
 * has one. By default those are plans with the stream.
 */
export function keyFor(
  given: string | true | undefined,
  env: Readonly<Record<string, string | undefined>>,
  dataFolder: string,
  plans: readonly PlanId[] = ['alpha', 'enterprise']
): string {
  const demo = readDemoKeys(dataFolder) ?? {}
  const key = [given, env[KEY_VARIABLE], ...plans.map((plan) => demo[plan])].find(
    (each) => typeof each === 'string' && each !== ''
  )
  if (typeof key === 'string') return key
  throw new ConfigError([`give a key with --key or ${KEY_VARIABLE}: there are no demo keys in ${dataFolder}`])
}
