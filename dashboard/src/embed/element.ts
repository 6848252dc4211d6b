// <gammawall-panel panel="ladder" symbol="SPY" token="..." theme="dark" range="2.5"> for other pages. It is loaded as a
// classic script, so a block keeps its names from becoming global.
import type { FromPanel, ToPanel } from './messages.ts'

{
  /** Origin of this script, which also serves the panel. */
  const service = new URL((document.currentScript as HTMLScriptElement | null)?.src ?? location.href).origin

  /** Attributes that change a panel without reloading it. */
  const CHANGES = ['token', 'symbol', 'theme', 'range', 'dealers', 'expirations'] as const
  /** Bounds of the height of a panel, CSS pixels. */
  const [LEAST, MOST] = [60, 3000] as const

  class GammawallPanel extends HTMLElement {
    static readonly observedAttributes = ['panel', ...CHANGES]
    readonly #frame = document.createElement('iframe')

    /** A token from `POST /v1/embed/token`. */
    get token(): string {
      return this.getAttribute('token') ?? ''
    }

    set token(token: string) {
      this.setAttribute('token', token)
    }

    connectedCallback(): void {
      addEventListener('message', this.#receive)
      this.style.display ||= 'block'
      this.#frame.style.cssText = 'display: block; width: 100%; height: 320px; border: 0'
      this.#frame.allow = 'fullscreen; clipboard-write'
      this.#frame.referrerPolicy = 'no-referrer'
      this.#open()
      this.append(this.#frame)
    }

    disconnectedCallback(): void {
      removeEventListener('message', this.#receive)
      this.#frame.remove()
    }

    attributeChangedCallback(name: string, before: string | null, now: string | null): void {
      if (!this.isConnected || before === now) return
      if (name === 'panel') this.#open()
      else this.#tell({ gammawall: 'change', [name]: now ?? '' })
    }

    #open(): void {
      const { panel = '', symbol = '', theme, range, dealers, expirations } = this.#given()
      const query = new URLSearchParams({
        ...(theme && { theme }),
        ...(range && { range }),
        ...(dealers && { dealers }),
        ...(expirations && { expirations })
      })
      // A fragment is not sent: neither logs nor Referer headers contain the token.
      const fragment = new URLSearchParams({ token: this.token, page: location.origin })
      const path = `/embed/${encodeURIComponent(panel)}/${encodeURIComponent(symbol)}`
      this.#frame.title = `${symbol}: ${panel}`
      this.#frame.src = `${service}${path}?${query}#${fragment}`
    }

    #given(): Readonly<Record<string, string>> {
      return Object.fromEntries([...this.attributes].map(({ name, value }) => [name, value]))
    }

    #tell(change: ToPanel): void {
      this.#frame.contentWindow?.postMessage(change, service)
    }

    readonly #receive = ({ source, origin, data }: MessageEvent<FromPanel | null>): void => {
      if (source !== this.#frame.contentWindow || origin !== service || data === null) return
      if (data.gammawall === 'height' && Number.isFinite(data.height))
        this.#frame.style.height = `${Math.min(MOST, Math.max(LEAST, data.height))}px`
      if (data.gammawall === 'token') {
        const detail = { panel: this.getAttribute('panel'), symbol: this.getAttribute('symbol') }
        this.dispatchEvent(new CustomEvent('gammawall-token', { bubbles: true, composed: true, detail }))
      }
    }
  }

  if (customElements.get('gammawall-panel') === undefined) customElements.define('gammawall-panel', GammawallPanel)
}
