/** Bytes that a view keeps in memory: its columns, including those shared with its tape, and its numbers. */
export function viewBytes(view: unknown): number {
  if (typeof view === 'number') return 8
  if (typeof view !== 'object' || view === null) return 0
  if (ArrayBuffer.isView(view)) return view.byteLength
  let bytes = 0
  for (const part of Object.values(view)) bytes += viewBytes(part)
  return bytes
}
