import { readDemoKeys } from '../../accounts/demo-keys.ts'
import type { PlanId } from '../../api/plan.ts'
import { type Client, type ClientOptions, createClient } from '../../client/client.ts'
import { ConfigError } from '../../config/config.ts'
import { KEY_VARIABLE } from '../../config/settings.ts'
import { isAlive, readServiceFile } from '../../jobs/service-file.ts'
import type { Invocation } from '../command.ts'

export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Flag for the address of the service to ask. */
export const urlFlag = {
  value: 'address',
  help: `REST interface of the service (default: that of the service of the data folder, else ${DEFAULT_URL})`
}

/**
 * Addresses of the service to ask: those of the flags, otherwise those of the service that uses the data folder, otherwise
 * the default address. Addresses that are left out follow from `url`.
 */
export function serviceOf({ flags, config }: Pick<Invocation, 'flags' | 'config'>): ServiceAddresses {
  const running = flags['url'] === undefined ? readServiceFile(config.data) : undefined
  const found = running !== undefined && isAlive(running) ? running : undefined
  const { url = found?.rest ?? DEFAULT_URL } = flags
  const { 'replay-url': replayUrl = found?.replay, 'stream-url': streamUrl = found?.stream } = flags
  return {
    url: String(url),
    ...(replayUrl !== undefined && { replayUrl: String(replayUrl) }),
    ...(streamUrl !== undefined && { streamUrl: String(streamUrl) })
  }
}

interface ServiceAddresses {
  readonly url: string
  readonly replayUrl?: string
  readonly streamUrl?: string
}

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
