import type { Command } from './command.ts'

/**
 * Commands by the first word of their names, in the order of the help. Their modules are loaded when they are named: to
 * load all of them takes longer than most of them run.
 */
const commands: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve.ts')).serveCommand],
  keys: async () => (await import('./keys.ts')).keyCommands,
  users: async () => (await import('./users.ts')).userCommands,
  bundles: async () => (await import('./bundles.ts')).bundleCommands,
  usage: async () => (await import('./usage.ts')).usageCommands,
  demo: async () => (await import('./demo.ts')).demoCommands,
  import: async () => (await import('./import.ts')).importCommands,
  backfill: async () => [(await import('./backfill.ts')).backfillCommand],
  export: async () => [(await import('./export.ts')).exportCommand],
  history: async () => [
    (await import('./history.ts')).historySchemaCommand,
    (await import('./accuracy.ts')).historyAccuracyCommand
  ],
  plot: async () => (await import('./plot.ts')).plotCommands,
  connectors: async () => [(await import('./connectors.ts')).connectorsCommand],
  doctor: async () => [(await import('./doctor.ts')).doctorCommand],
  screen: async () => [(await import('./screen.ts')).screenCommand],
  watch: async () => [(await import('./watch.ts')).watchCommand],
  signals: async () => [(await import('./strategy-signals.ts')).strategySignalsCommand],
  tape: async () => [(await import('./tape.ts')).tapeCommand]
}

/** The commands whose names begin with a word; none where no command does. */
export async function commandsUnder(word: string | undefined): Promise<readonly Command[]> {
  return word !== undefined && Object.hasOwn(commands, word) ? commands[word]() : []
}

/** Every command, in the order of the help. */
export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.values(commands).map((load) => load()))).flat()
}
