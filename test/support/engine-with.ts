import type { Deadline } from '../../src/api/deadline.ts'
import type { Engine } from '../../src/workers/engine.ts'
import type { ArgsOf, ResultOf, TaskName } from '../../src/workers/tasks/tasks.ts'

/** Tasks as a test does them in the place of an engine. */
export type TestTasks = { readonly [Name in TaskName]?: (args: ArgsOf<Name>) => Promise<ResultOf<Name>> }

/** An engine that runs the named tasks with the test's functions and all others with `inner`. */
export function engineWith(tasks: TestTasks, inner?: Engine): Engine {
  const without: Pick<Engine, 'run'> = {
    run: (name) => Promise.reject(new Error(`the test expects no task called ${name}`))
  }
  const { run } = inner ?? without
  return {
    forget: () => {},
    retire: () => {},
    lend: () => () => {},
    pending: 0,
    close: async () => {},
    ...inner,
    run: <Name extends TaskName>(name: Name, args: ArgsOf<Name>, deadline?: Deadline): Promise<ResultOf<Name>> => {
      const task = tasks[name] as ((args: ArgsOf<Name>) => Promise<ResultOf<Name>>) | undefined
      return task === undefined ? run(name, args, deadline) : task(args)
    }
  }
}
