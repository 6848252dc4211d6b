import type { ComponentChildren } from 'preact'
import type { Table } from '../../parts/panel-menu.tsx'

/** The title of a column, and whether it holds figures (`n`) or is left out where there is little room (`wide`). */
export type Column = readonly [title: string, look?: 'n' | 'n wide']

interface OrdersProps {
  readonly columns: readonly Column[]
  /** The rows. */
  readonly children: ComponentChildren
}

/** A table of orders that scrolls under its head. */
export function Orders({ columns, children }: OrdersProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll rows" tabIndex={0}>
      <table class="prints">
        <thead>
          <tr>
            {columns.map(([title, look]) => (
              <th key={title} scope="col" class={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** A column of a file with the figure that each order has in it. */
export type Figure<Order> = readonly [column: string, of: (order: Order) => string | number | null]

interface Ordered {
  readonly ts: string
  readonly expiry: string
  readonly strike: number
  readonly right: string
  readonly side: string
  readonly size: number
  readonly price: number
}

const common: readonly Figure<Ordered>[] = [
  ['time (UTC)', ({ ts }) => ts],
  ['expiration', ({ expiry }) => expiry],
  ['strike (USD)', ({ strike }) => strike],
  ['right', ({ right }) => right],
  ['side', ({ side }) => side],
  ['size (contracts)', ({ size }) => size],
  ['price (USD)', ({ price }) => price]
]

/** Orders as a file: what every order is, then what these have beside it. */
export function fileOf<Order extends Ordered>(orders: readonly Order[], more: readonly Figure<Order>[]): Table {
  const figures: readonly Figure<Order>[] = [...common, ...more]
  return {
    columns: figures.map(([column]) => column),
    rows: orders.map((order) => figures.map(([, of]) => of(order)))
  }
}
