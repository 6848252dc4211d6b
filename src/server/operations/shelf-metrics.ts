import { Gauge, Histogram, type Registry } from 'prom-client'

/** Upper bounds, seconds: a chain of an index is there within a tenth of a second. */
const bounds = [0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.15, 0.3, 0.6, 1, 2, 5]

/** Registers the metrics of a member that shares chains. Returns the function that counts a chain that came here. */
export function mountShelfMetrics(registry: Registry, isUp: () => boolean): (seconds: number) => void {
  const registers = [registry]
  new Gauge({
    name: 'gammawall_shelf_up',
    help: 'Whether the server of the shared chains can be reached, 1 or 0',
    registers,
    collect() {
      this.set(isUp() ? 1 : 0)
    }
  })
  const travel = new Histogram({
    name: 'gammawall_shelf_travel_seconds',
    help: 'Time from when a collector told of a chain until it is priced here',
    buckets: bounds,
    registers
  })
  return (seconds) => travel.observe(seconds)
}
