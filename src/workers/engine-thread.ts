import { workerData } from 'node:worker_threads'
import { tooLate } from '../api/deadline.ts'
import type { Feature } from '../api/feature.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import { createConnector } from '../connectors/registry.ts'
import { endpointsWith } from '../endpoints/index.ts'
import { steadyNow } from '../facts/steady-clock.ts'
import { keepShare } from '../memory/kept-memory.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { MeasuredChains } from './measured-chains.ts'
import { runAfterServing } from './priority.ts'
import { type ChainUse, serveTasks } from './serve-tasks.ts'
import { TaskQueue } from './task-queue.ts'
import type { TaskContext } from './tasks/task.ts'
import { type TaskName, taskNamed } from './tasks/tasks.ts'

export interface EngineThreadSettings {
  readonly source: SourceSettings
  readonly assumptions: Assumptions
  /** Enabled features; some endpoints' responses depend on them. */
  readonly features: readonly Feature[]
  /** Contracts in chains whose measures a worker keeps. */
  readonly measuredContracts?: number | undefined
  /** Share of the usual limits on tables and returned buffers; see `MemoryPlan`. */
  readonly keptShare?: number | undefined
}

/** Some 40 to 140 MB of measures. */
const MEASURED_CONTRACTS = 250_000

runAfterServing('answering')
const settings = workerData as EngineThreadSettings
const { source, assumptions, features, measuredContracts = MEASURED_CONTRACTS } = settings
keepShare(settings.keptShare ?? 1)

// A function, because the bundled program must not await at the top level.
async function start(): Promise<void> {
  const queue = new TaskQueue()
  const context: TaskContext = {
    connector: await createConnector(source),
    assumptions,
    pause: () => queue.next('begun'),
    endpoints: new Map(endpointsWith(features).map((endpoint) => [endpoint.id, endpoint]))
  }
  const measured = new MeasuredChains(measuredContracts)
  const use: ChainUse = { used: (chain) => measured.use(chain), forgotten: (chain) => measured.forget(chain) }
  serveTasks(async (name, args, { chainOf, until }) => {
    const { run, unpack, urgency } = taskNamed(name as TaskName)
    // Unpacked before waiting, since a chain that the arguments refer to may be dropped meanwhile.
    const unpacked = unpack === undefined ? args : unpack(args, chainOf)
    if (urgency !== undefined) await queue.next(urgency)
    if (until !== undefined && steadyNow() >= until) throw tooLate()
    return run(unpacked, context)
  }, use)
}

void start()
