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
    '/v1/exposure/matrix/{symbol}': {
      readonly method: 'GET'
      readonly replay: true
      readonly params: {
        readonly symbol: string
        readonly metric?: string | undefined
        readonly by?: string | undefined
        readonly range_pct?: number | undefined
        readonly every?: string | undefined
        readonly date?: string | undefined
      }
      readonly body: undefined
      readonly answer: Head & {
        readonly metric: string
        readonly by: 'expiration' | 'time'
        readonly strikes: readonly number[]
        readonly columns: readonly string[]
        readonly values: readonly (readonly (number | null)[])[]
        readonly row_totals: readonly number[]
        readonly column_totals: readonly number[]
        readonly outside: readonly number[]
      }
    }
    '/v1/market/session/{symbol}': {
      readonly method: 'GET'
      readonly replay: true
      readonly params: { readonly symbol: string }
      readonly body: undefined
      readonly answer: {
        readonly symbol: string
        readonly underlying_price: number | null
        readonly as_of: string
        readonly date: string
        readonly status: 'pre' | 'open' | 'closed' | 'holiday'
        readonly open: string
        readonly close: string
        readonly is_half_day: boolean
        readonly next_open: string
        readonly previous_date: string
        readonly previous_close: number | null
      }
    }
  }
}
