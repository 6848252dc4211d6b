import type { Count } from '../../api/quantity.ts'

export const volumes = (unit: typeof Count) => ({
  buyVolume: unit('bought by customers', { minimum: 0 }),
  sellVolume: unit('sold by customers', { minimum: 0 }),
  midVolume: unit('of prints without a side', { minimum: 0 }),
  netVolume: unit('bought less sold')
})

export function volumesOf({ bought, sold, other }: Record<'bought' | 'sold' | 'other', number>) {
  return { buyVolume: bought, sellVolume: sold, midVolume: other, netVolume: bought - sold }
}
