import type { ComponentChildren } from 'preact'
import type { Table } from '../../parts/panel-menu.tsx'

/** Title of a column. `n`: numbers; `wide`: hidden on narrow screens. */
export type Column = readonly [title: string, className?: 'n' | 'n wide']

interface OrdersProps {
  readonly columns: readonly Column[]
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
            {columns.map(([title, className]) => (
              <th key={title} scope="col" class={className}>
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

/** A column of an exported file, and its value for an order. */
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

/** Exports orders: the columns that all orders have, then `more`. */
export function fileOf<Order extends Ordered>(orders: readonly Order[], more: readonly Figure<Order>[]): Table {
  const figures: readonly Figure<Order>[] = [...common, ...more]
  return {
    columns: figures.map(([column]) => column),
    rows: orders.map((order) => figures.map(([, of]) => of(order)))
  }
}
