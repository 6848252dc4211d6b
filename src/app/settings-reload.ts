import type { Accounts } from '../accounts/accounts.ts'
import type { Brand } from '../api/brand/brand.ts'
import type { Plans, ReplaceablePlans } from '../api/plan.ts'
import type { Presets } from '../config/presets.ts'
import { type RereadFiles, rereadSettings } from '../config/reread.ts'
import { addedRenames, type Rename, useRenames } from '../market/renames.ts'
import type { Log } from '../server/operations/log.ts'

export interface SettingsReloadOptions {
  readonly files: RereadFiles
  readonly plans: ReplaceablePlans
  /** Lists of the screener, replaced as a whole. */
  readonly presets: { current: Presets }
  readonly brand: { current: Brand }
  readonly accounts: Pick<Accounts, 'note' | 'plansReplaced'>
  readonly log: Pick<Log, 'level' | 'info'>
}

/** Reads the settings again for the named person and returns what changed, in words. */
export type SettingsReload = (actor: string) => Promise<readonly string[]>

/**
 * Makes the function that reads plans, presets, renames, brand and log level again while the service runs. It fails with a
 * ConfigError if a file has a mistake, and then nothing changes. What changes is written to the audit trail and to the log.
 */
export function settingsReload({ files, plans, presets, brand, accounts, log }: SettingsReloadOptions): SettingsReload {
  return async (actor) => {
    const next = rereadSettings(files)
    const changed = [
      ...planChanges(plans, next.plans),
      ...presetChanges(presets.current, next.presets),
      ...renameChanges(addedRenames(), next.renames),
      ...brandChanges(brand.current, next.brand),
      ...(log.level === next.logLevel ? [] : [`log level: ${log.level} became ${next.logLevel}`])
    ]
    if (changed.length > 0) {
      const detail = Object.fromEntries(changed.map((change, k) => [`${k + 1}`, change]))
      await accounts.note({ actor, action: 'settings.reload', target: 'settings', detail })
      plans.replace(next.plans)
      accounts.plansReplaced()
      presets.current = next.presets
      useRenames(next.renames)
      brand.current = next.brand
      log.level = next.logLevel
    }
    log.info({ actor, changed }, 'settings were read anew')
    return changed
  }
}

function planChanges(before: Plans, after: Plans): readonly string[] {
  const ids = [...new Set([...before.all, ...after.all].map(({ id }) => id))]
  return ids.flatMap((id) => {
    const [old, fresh] = [before.byId(id), after.byId(id)]
    if (old === undefined || fresh === undefined) return [`plan ${id}: ${old === undefined ? 'added' : 'removed'}`]
    const names = Object.keys({ ...old, ...fresh }) as (keyof typeof old)[]
    return names
      .filter((name) => textOf(old[name]) !== textOf(fresh[name]))
      .map((name) => `plan ${id}: ${name} ${textOf(old[name])} became ${textOf(fresh[name])}`)
  })
}

function presetChanges(before: Presets, after: Presets): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [old, fresh] = [before[name], after[name]]
    if (textOf(old) === textOf(fresh)) return []
    const countOf = (symbols: Presets[string] | undefined) => `${symbols?.length ?? 'no'} symbols`
    return [`preset ${name}: ${countOf(old)} became ${countOf(fresh)}`]
  })
}

function brandChanges(before: Brand, after: Brand): readonly string[] {
  const fields = [...new Set(Object.keys({ ...before, ...after }))] as (keyof Brand)[]
  const wordsOf = (field: keyof Brand, brand: Brand) =>
    field === 'logo' ? `${brand.logo?.length ?? 0} characters` : JSON.stringify(brand[field] ?? null)
  return fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => `brand: ${field} ${wordsOf(field, before)} became ${wordsOf(field, after)}`)
}

function renameChanges(before: readonly Rename[], after: readonly Rename[]): readonly string[] {
  const words = (renames: readonly Rename[]) =>
    new Set(renames.map(({ from, to, date }) => `${from} is ${to} from ${date}`))
  const [old, fresh] = [words(before), words(after)]
  return [
    ...[...fresh].filter((line) => !old.has(line)).map((line) => `rename ${line}: added`),
    ...[...old].filter((line) => !fresh.has(line)).map((line) => `rename ${line}: removed`)
  ]
}

const textOf = (value: unknown) => (value === undefined ? 'unlimited' : JSON.stringify(value))
