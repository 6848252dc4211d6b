import { csvLine } from 'gammawall/client'
import type { Table } from './panel-menu.tsx'

/** A table as CSV with full precision. The first line is a comment that says what it is, its time and its source. */
export function csvOf({ columns, rows }: Table, about: string): string {
  return [`# ${about.replace(/[\r\n]+/g, ' ')}`, csvLine(columns), ...rows.map(csvLine), ''].join('\n')
}

/** Saves a file by the browser's download. */
export function save(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
