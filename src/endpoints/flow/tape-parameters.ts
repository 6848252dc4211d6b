import { flowExpiry, symbolInPath, whole } from '../../api/params.ts'

const WEEK = 10_080
const most = (count: number, description: string, maximum = 500) =>
  whole({ description, default: count, minimum: 1, maximum, clamp: true })
const minutes = (count: number, description: string, maximum = WEEK) => most(count, description, maximum)

export const ofStock = { symbol: symbolInPath() }
export const ofOptions = { symbol: symbolInPath(), expiry: flowExpiry }

export const limit = (count: number) => most(count, 'rows at most')
export const minSize = (size: number, unit: string) =>
  whole({ description: `${unit} that a print has at least`, default: size, minimum: 1, clamp: true })
export const historyMinutes = (count: number) => minutes(count, 'minutes of the window, the current one included')
export const barMinutes = minutes(60, 'minutes of the window', 1440)
export const windowMinutes = minutes(240, 'minutes of the window')
export const leaderCount = most(10, 'symbols at most on each side', 50)
export const outlierCount = most(20, 'symbols at most', 200)
export const minTrades = whole({
  description: 'prints that a symbol has in the window at least',
  default: 20,
  minimum: 1,
  clamp: true
})
