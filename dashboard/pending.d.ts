import '../dist/types/src/client/endpoint-types.ts'

/** Endpoints whose declarations are on their way to the service; their shapes are those of the wire contract. */
declare module '../dist/types/src/client/endpoint-types.ts' {
  interface Head {
    readonly symbol: string
    readonly underlying_price: number
    readonly as_of: string
  }
  interface Endpoints {
    '/v1/series/{symbol}': {
      readonly method: 'GET'
      readonly replay: true
      readonly params: {
        readonly symbol: string
        readonly fields?: string | undefined
        readonly from?: string | undefined
        readonly to?: string | undefined
        readonly every?: string | undefined
      }
      readonly body: undefined
      readonly answer: Head & {
        readonly every: string
        readonly t: readonly string[]
        readonly columns: Readonly<Record<string, readonly (number | null)[]>>
        readonly incomplete: readonly { readonly from: string; readonly to: string }[]
      }
    }
  }
}
