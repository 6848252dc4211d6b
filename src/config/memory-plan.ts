/** Limits of everything in the service that grows with use, bytes unless stated otherwise. */
export interface MemoryPlan {
  /** Finished responses. */
  readonly answers: number
  /** Tapes of prints, and the views of them that requests read. */
  readonly tapes: number
  readonly views: number
  /** Replaced chains that requests in progress may still use. */
  readonly retiredChains: number
  /** Contracts in chains whose measures a worker keeps; the measures of one contract take 160 to 550 bytes. */
  readonly measuredContracts: number
  /** Share of 192 MB of tables of early exercise and of 16 MB of returned memory that a worker may keep; of that at least 4. */
  readonly keptShare: number
  /** Contracts in chains of earlier closes; each takes some 120 bytes. */
  readonly closingContracts: number
  /** Contracts in chains of past moments, and memory for prints of past sessions, of which there are two. */
  readonly pastContracts: number
  readonly pastTapes: number
  /** Short-lived objects of a worker, MB: three times one semi-space of V8. */
  readonly youngGenerationMb: number
  /** How far a heap grows beyond what lives in it before it is collected, percent; undefined for V8's own choice. */
  readonly heapGrowth: number | undefined
  /** Each of the larger caches of the history engine. */
  readonly engineCaches: number
}

const MB = 2 ** 20

/** Meant for machines with 1, 4 and 16 GB of memory; docs/operations.md says what was measured. */
export const memoryPlans = {
  small: {
    answers: 32 * MB,
    tapes: 48 * MB,
    views: 16 * MB,
    retiredChains: 4 * MB,
    measuredContracts: 60_000,
    keptShare: 1 / 8,
    closingContracts: 100_000,
    pastContracts: 60_000,
    pastTapes: 16 * MB,
    youngGenerationMb: 12,
    heapGrowth: 30,
    engineCaches: 8 * MB
  },
  default: {
    answers: 128 * MB,
    tapes: 160 * MB,
    views: 48 * MB,
    retiredChains: 16 * MB,
    measuredContracts: 100_000,
    keptShare: 1,
    closingContracts: 500_000,
    pastContracts: 250_000,
    pastTapes: 64 * MB,
    youngGenerationMb: 24,
    heapGrowth: 40,
    engineCaches: 64 * MB
  },
  large: {
    answers: 512 * MB,
    tapes: 2048 * MB,
    views: 512 * MB,
    retiredChains: 64 * MB,
    measuredContracts: 2_000_000,
    keptShare: 1,
    closingContracts: 2_000_000,
    pastContracts: 1_000_000,
    pastTapes: 256 * MB,
    youngGenerationMb: 96,
    heapGrowth: undefined,
    engineCaches: 256 * MB
  }
} as const satisfies Record<string, MemoryPlan>

export type MemorySize = keyof typeof memoryPlans
