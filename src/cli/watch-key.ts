import { readDemoKeys } from '../accounts/demo-keys.ts'
import { ConfigError } from '../config/config.ts'
import { KEY_VARIABLE } from '../config/settings.ts'

/** The key to ask a service with: the one that is given, else that of the environment, else a demo key that streams. */
export function keyFor(
  given: string | true | undefined,
  env: Readonly<Record<string, string | undefined>>,
  dataFolder: string
): string {
  const { alpha, enterprise } = readDemoKeys(dataFolder) ?? {}
  const key = [given, env[KEY_VARIABLE], alpha, enterprise].find((each) => typeof each === 'string' && each !== '')
  if (typeof key === 'string') return key
  throw new ConfigError([`give a key with --key or ${KEY_VARIABLE}: there are no demo keys in ${dataFolder}`])
}
