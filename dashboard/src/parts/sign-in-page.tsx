import { useSignal } from '@preact/signals'
import { brand } from '../state/page/brand.ts'
import { signIn, signInTrouble } from '../state/service/sign-in.ts'

/** Asks for a key. The address does not change, so its page opens afterwards. */
export default function SignInPage() {
  const isTrying = useSignal(false)
  const enter = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    isTrying.value = true
    await signIn(String(new FormData(form).get('key')).trim())
    isTrying.value = false
  }
  return (
    <main class="door">
      <form onSubmit={(event) => void enter(event)} class="panel">
        <img src="./mark.svg" alt="" width="40" height="40" />
        <h1>{brand.name}</h1>
        {brand.signIn !== undefined && (
          <a class="primary" href="/session/oidc">
            {brand.signIn}
          </a>
        )}
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="off" spellcheck={false} required autofocus />
        <button type="submit" class="primary" disabled={isTrying.value}>
          Open
        </button>
        <p role="alert" class="trouble">
          {signInTrouble.value}
        </p>
        <p>
          {brand.name === 'gammawall' && 'The service prints demo keys when it starts. '}A key is exchanged for a
          session of twelve hours and then forgotten by this page.
        </p>
        <p>
          {brand.support && (
            <a class="link" href={brand.support}>
              Support
            </a>
          )}
          {brand.terms && (
            <a class="link" href={brand.terms}>
              Terms
            </a>
          )}
        </p>
      </form>
    </main>
  )
}
