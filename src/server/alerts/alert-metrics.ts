import { Counter, Gauge, type Registry } from 'prom-client'
import type { DeliveryState } from '../../accounts/alerts/firings.ts'
import { type RuleState, ruleStates } from '../../accounts/alerts/rule.ts'

/** Registers the Prometheus metrics of alerts. Returns the functions that count events. */
export function mountAlertMetrics(registry: Registry, counts: () => Promise<ReadonlyMap<RuleState, number>>) {
  const registers = [registry]
  new Gauge({
    name: 'gammawall_alerts',
    help: 'Alerts by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const now = await counts()
      for (const state of ruleStates) this.set({ state }, now.get(state) ?? 0)
    }
  })
  const fired = new Counter({ name: 'gammawall_alert_firings_total', help: 'Times that alerts fired', registers })
  const attempts = new Counter({
    name: 'gammawall_alert_deliveries_total',
    help: 'Attempts to send what fired to webhooks and browsers: delivered, waiting (tried again) or given_up',
    labelNames: ['outcome'],
    registers
  })
  return {
    onFired: () => fired.inc(),
    onAttempt: (outcome: DeliveryState) => attempts.inc({ outcome })
  }
}
