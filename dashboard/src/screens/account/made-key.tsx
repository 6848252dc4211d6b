import { OnceDialog } from '../../parts/once-dialog.tsx'
import { madeKey } from '../../state/screens/account-state.ts'

export function MadeKeyDialog() {
  const made = madeKey.value
  return (
    <OnceDialog
      id="made"
      title={`The new key of ${made?.email}`}
      label="The new key"
      sentence="It is shown only once. The service stores only its hash: if you lose it, create a new one."
      value={made?.key}
      forget={() => {
        madeKey.value = undefined
      }}
    />
  )
}
