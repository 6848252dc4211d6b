import { Counter, Gauge, type Registry } from 'prom-client'

export interface StreamGauges {
  readonly connections: number
  readonly subscriptions: number
}

/** Registers the Prometheus metrics of the stream. Returns the functions that count frames. */
export function mountStreamMetrics(registry: Registry, current: () => StreamGauges) {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (now: StreamGauges) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(current()))
      }
    })
  gauge('gammawall_stream_connections', 'Connections of the stream that are open', ({ connections }) => connections)
  gauge('gammawall_stream_subscriptions', 'Subscriptions on them', ({ subscriptions }) => subscriptions)
  const frames = new Counter({ name: 'gammawall_stream_frames_total', help: 'Frames sent', registers })
  const skipped = new Counter({
    name: 'gammawall_stream_skipped_total',
    help: 'Frames replaced by newer ones because their reader was behind',
    registers
  })
  return { onSent: (count: number) => frames.inc(count), onSkipped: (count: number) => skipped.inc(count) }
}
