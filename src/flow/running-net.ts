import type { Bucket } from './window-buckets.ts'

/** The net volume of each bucket and of all buckets up to it. */
export function runningNet(buckets: readonly Bucket[]) {
  let cumulative = 0
  return buckets.map((bucket) => {
    const net = bucket.bought - bucket.sold
    cumulative += net
    return { bucket, net, cumulative }
  })
}
