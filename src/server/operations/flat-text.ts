/**
 * The same Latin-1 text in one piece. A text put together from others is kept as a tree of them, which is walked whenever
 * it is written: for one that is kept and written with every answer that costs more than its bytes.
 */
export function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
