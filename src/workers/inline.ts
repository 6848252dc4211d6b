import { refuseLate } from '../api/deadline.ts'
import type { Engine } from './engine.ts'
import type { TaskContext } from './tasks/task.ts'
import { type ResultOf, taskNamed } from './tasks/tasks.ts'

/** An engine that runs on the calling thread, for tests and `--workers 0`. */
export function inlineEngine(context: TaskContext): Engine {
  let pending = 0
  return {
    async run(name, args, deadline) {
      refuseLate(deadline)
      pending++
      try {
        return (await taskNamed(name).run(args, context)) as ResultOf<typeof name>
      } finally {
        pending--
      }
    },
    forget: () => {},
    retire: () => {},
    lend: () => () => {},
    get pending() {
      return pending
    },
    close: async () => {}
  }
}
