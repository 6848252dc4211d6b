import { workerData } from 'node:worker_threads'
import type { Feature } from '../api/feature.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import { createConnector } from '../connectors/registry.ts'
import { endpointsWith } from '../endpoints/index.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { runAfterServing } from './priority.ts'
import { serveTasks } from './serve-tasks.ts'
import { TaskQueue } from './task-queue.ts'
import type { TaskContext } from './tasks/task.ts'
import { type TaskName, taskNamed } from './tasks/tasks.ts'

/** What a worker of the engine is started with. */
export interface EngineThreadSettings {
  readonly source: SourceSettings
  readonly assumptions: Assumptions
  /** They decide what some of the endpoints answer. */
  readonly features: readonly Feature[]
}

runAfterServing('answering')
const { source, assumptions, features } = workerData as EngineThreadSettings

// In a function, since the program that is joined into few files awaits nothing while it is loaded.
async function start(): Promise<void> {
  const turns = new TaskQueue()
  const context: TaskContext = {
    connector: await createConnector(source),
    assumptions,
    pause: () => turns.next('begun'),
    endpoints: new Map(endpointsWith(features).map((endpoint) => [endpoint.id, endpoint]))
  }
  serveTasks(async (name, args, { chainOf }) => {
    const { run, unpack, urgency } = taskNamed(name as TaskName)
    // Before it waits: a chain that it names may be forgotten meanwhile.
    const unpacked = unpack === undefined ? args : unpack(args, chainOf)
    if (urgency !== undefined) await turns.next(urgency)
    return run(unpacked, context)
  })
}

void start() // what it throws ends the thread
