import { type Client, type ClientOptions, createClient } from '../client/client.ts'
import { ConfigError } from '../config/config.ts'

/** Where a service answers that was started without further settings. */
export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** A client of the service that a command line names. */
export function clientOf(options: ClientOptions): Client {
  try {
    return createClient(options)
  } catch {
    throw new ConfigError(['--url and --stream-url must be http or https addresses'])
  }
}
