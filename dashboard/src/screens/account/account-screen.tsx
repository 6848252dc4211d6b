import { useEffect } from 'preact/hooks'
import { sentenceOf } from '../../parts/sentences.ts'
import { account, refusal, renew } from '../../state/screens/account-state.ts'
import { Keys } from './api-keys.tsx'
import { Audit } from './audit.tsx'
import { MadeKeyDialog } from './made-key.tsx'
import { Days, Opens, Own } from './own.tsx'
import { Users } from './users.tsx'
import '../../style/account.css'

/** Plan, usage and, for administrators, all users. */
export default function Account() {
  useEffect(() => account.start(), [])
  const isAdmin = account.answer.value?.capabilities.admin === true
  useEffect(() => {
    if (isAdmin) void renew()
  }, [isAdmin])
  return (
    <main class={isAdmin ? 'account admin' : 'account'}>
      <h1 class="hidden">Account</h1>
      <Own />
      <Days />
      <Opens />
      {isAdmin && (
        <>
          <Users />
          <Keys />
          <Audit />
          <MadeKeyDialog />
          {refusal.value !== undefined && (
            <p class="refused" role="alert">
              {sentenceOf(refusal.value)}
            </p>
          )}
        </>
      )}
    </main>
  )
}
