/** The archive cannot be used. The message tells the operator why. */
export class HistoryError extends Error {
  override readonly name: string = 'HistoryError'
}

/** Files of the archive are damaged, so that a part of it cannot be read. */
export class HistoryDamage extends HistoryError {
  override readonly name = 'HistoryDamage'
  readonly damage: Damage

  constructor(damage: Damage, cause?: unknown) {
    super(`${damage.path} is damaged: ${damage.reason}`, { cause })
    this.damage = damage
  }
}

export interface Damage {
  /** The damaged file or folder, below the folder of the archive. */
  readonly path: string
  readonly reason: string
}

/** A snapshot can never be stored, so retrying is useless. */
export class UnwritableSnapshot extends Error {
  override readonly name = 'UnwritableSnapshot'
}
