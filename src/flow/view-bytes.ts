/** Bytes that a view or the state of a fold keeps in memory: its columns, including shared ones, and its numbers. */
export function viewBytes(view: unknown): number {
  if (typeof view === 'number') return 8
  if (typeof view !== 'object' || view === null) return 0
  if (ArrayBuffer.isView(view)) return view.byteLength
  if (view instanceof Map) return viewBytes([...view.values()])
  if (Array.isArray(view) && typeof view[0] === 'number') return 8 * view.length
  let bytes = 0
  for (const part of Object.values(view)) bytes += viewBytes(part)
  return bytes
}
