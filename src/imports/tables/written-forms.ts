import { FilesError } from '../import-files.ts'
import { type DateOrder, dateOrderIn, dateOrders } from './date-forms.ts'
import { DEFAULT_ZONE, zoneNamed } from './zones.ts'

/** How dates and times of a file are written, as far as a single text does not show it. */
export interface Forms {
  readonly order: DateOrder | undefined
  /** Zone of times that name none, by its name in the time zone database. */
  readonly zone: string
}

export const noForms: Forms = { order: undefined, zone: DEFAULT_ZONE }

/** Forms of a file as the operator said them. */
export interface SaidForms {
  readonly dates?: string | undefined
  readonly zone?: string | undefined
  /** Decimal sign: `point` or `comma`. */
  readonly decimal?: string | undefined
}

/** Checks what the operator said. Throws a `FilesError` if there is no such order of dates or no such zone. */
export function checkedForms({ dates, zone }: SaidForms): {
  readonly order: DateOrder | undefined
  readonly zone: string
} {
  const order = dateOrders.find((known) => known === dates?.toLowerCase())
  if (dates !== undefined && order === undefined) {
    throw new FilesError(`--dates must be one of ${dateOrders.join(', ')}`)
  }
  const named = zoneNamed(zone ?? DEFAULT_ZONE)
  if (named === undefined) {
    throw new FilesError(`there is no time zone ${zone}: zones are called UTC, America/Chicago or Europe/Berlin`)
  }
  return { order, zone: named }
}

/**
 * Forms of a file whose columns of dates hold `texts`. `usual` is the order that the vendor of the file writes. Throws
 * a `FilesError` if the dates could be read in several ways and nobody said in which.
 */
export function writtenForms(texts: Iterable<string>, said: SaidForms | undefined, usual?: DateOrder): Forms {
  const { order, zone } = checkedForms(said ?? {})
  const found = dateOrderIn(texts, order, usual)
  if ('problem' in found) throw new FilesError(found.problem)
  return { order: found.order, zone }
}
