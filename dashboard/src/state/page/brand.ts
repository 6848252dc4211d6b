/** The company that runs the service, from the head of the page. */
interface Brand {
  readonly name: string
  readonly support?: string
  readonly terms?: string
  readonly upgrade?: { readonly label: string; readonly text?: string }
  /** Words of the button that signs in by the company's identity provider. */
  readonly signIn?: string
  /** Why that did not work. */
  readonly trouble?: string
}

const meta = document.querySelector<HTMLMetaElement>('meta[name=brand]')

export const brand: Brand = meta === null ? { name: 'gammawall' } : JSON.parse(meta.content)
