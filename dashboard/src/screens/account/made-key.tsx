import { OnceDialog } from '../../parts/once-dialog.tsx'
import { madeKey } from '../../state/screens/account-state.ts'

export function MadeKeyDialog() {
  const made = madeKey.value
  return (
    <OnceDialog
      id="made"
      title={`The new key of ${made?.email}`}
      label="The new key"
      sentence="It is shown this once. The service keeps its hash alone: who loses it makes another one."
      value={made?.key}
      forget={() => {
        madeKey.value = undefined
      }}
    />
  )
}
