import { Counter, Gauge, type Registry } from 'prom-client'

/** What the gauges of the stream read at the moment somebody scrapes. */
export interface StreamObserved {
  readonly connections: number
  readonly subscriptions: number
}

/** How much the stream carries, for the operator. Returns where its two counts are told. */
export function mountStreamMetrics(registry: Registry, observed: () => StreamObserved) {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (now: StreamObserved) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(observed()))
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
