import type { CliCommand } from './command.ts'

/**
 * For each first word of a command name, a function that loads its commands, in the order of the help. Modules are
 * loaded on demand, because loading all of them takes longer than most commands run.
 */
const commands: Readonly<Record<string, () => Promise<readonly CliCommand[]>>> = {
  serve: async () => [(await import('./serve-command.ts')).serveCommand],
  keys: async () => (await import('./accounts/key-commands.ts')).keyCommands,
  users: async () => (await import('./accounts/user-commands.ts')).userCommands,
  bundles: async () => (await import('./accounts/bundle-commands.ts')).bundleCommands,
  usage: async () => (await import('./accounts/usage-commands.ts')).usageCommands,
  accounts: async () => (await import('./accounts/accounts-commands.ts')).accountsCommands,
  demo: async () => (await import('./accounts/user-commands.ts')).demoCommands,
  backup: async () => [(await import('./backup/backup-commands.ts')).backupCommand],
  restore: async () => [(await import('./backup/backup-commands.ts')).restoreCommand],
  import: async () => (await import('./history/import-commands.ts')).importCommands,
  backfill: async () => [(await import('./history/backfill-command.ts')).backfillCommand],
  export: async () => [(await import('./history/export-command.ts')).exportCommand],
  history: async () => [
    (await import('./history/schema-command.ts')).historySchemaCommand,
    (await import('./history/accuracy-command.ts')).historyAccuracyCommand,
    (await import('./history/repair-commands.ts')).historyVerifyCommand,
    (await import('./history/repair-commands.ts')).historyRepairCommand
  ],
  plot: async () => (await import('./sources/plot-commands.ts')).plotCommands,
  connectors: async () => [(await import('./sources/connectors-command.ts')).connectorsCommand],
  doctor: async () => [(await import('./sources/doctor-command.ts')).doctorCommand],
  doubts: async () => (await import('./service/doubt-commands.ts')).doubtCommands,
  screen: async () => [(await import('./service/screen-command.ts')).screenCommand],
  watch: async () => [(await import('./service/watch-command.ts')).watchCommand],
  mcp: async () => [(await import('./service/assistant-command.ts')).assistantCommand],
  signals: async () => [(await import('./service/signals-command.ts')).strategySignalsCommand],
  tape: async () => [(await import('./service/tape-command.ts')).tapeCommand],
  completions: async () => [(await import('./completions-command.ts')).completionsCommand]
}

/** Commands whose name begins with `word`; empty if there are none. */
export async function commandsUnder(word: string | undefined): Promise<readonly CliCommand[]> {
  return word !== undefined && Object.hasOwn(commands, word) ? commands[word]() : []
}

export async function allCommands(): Promise<readonly CliCommand[]> {
  return (await Promise.all(Object.values(commands).map((load) => load()))).flat()
}
