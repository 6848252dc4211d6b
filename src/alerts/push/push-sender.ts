import { PushKey } from '../../accounts/alerts/push-key.ts'
import type { Database } from '../../accounts/database.ts'
import type { PushSender } from './push-message.ts'
import { newServiceKey, type ServiceKey, serviceKeyOf } from './vapid.ts'

/** Names a service by the key of its accounts, which is made when it is first needed. */
export function pushSender(database: Database, contact?: string): PushSender {
  const stored = new PushKey(database, newServiceKey)
  let known: ServiceKey | undefined
  return { contact, key: async () => (known ??= serviceKeyOf(await stored.read())) }
}
