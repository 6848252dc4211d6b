// AssemblyScript, compiled by scripts/assemble.mjs to products.wasm.ts, which is what runs; see outer-products.ts. No
// multiplication is fused with an addition, so every entry gets the sums that JavaScript makes, in the same order.

/** Greatest length of a row. */
export const MOST: i32 = 128
/** Number of rows whose products are added in one pass over the matrix. */
export const ROWS: i32 = 8

/** The matrix, row by row at a distance of MOST numbers. Only its lower triangle counts. */
export const matrix: usize = memory.data(128 * 128 * 8, 16)
/** The rows of a pass, at the same distance, and their weights. */
export const rows: usize = memory.data(8 * 128 * 8, 16)
export const weights: usize = memory.data(8 * 8, 16)

const STRIDE: usize = 128 * 8

/** Returns the product of weight `n` and the entry at byte `at` of row `n`. */
function factor(n: usize, at: usize): f64 {
  return load<f64>(weights + 8 * n) * load<f64>(rows + n * STRIDE + at)
}

/** Adds `f` times a pair of entries of row `n`. */
function added(sum: v128, f: f64, n: usize, at: usize): v128 {
  return f64x2.add(sum, f64x2.mul(f64x2.splat(f), v128.load(rows + n * STRIDE + at)))
}

/**
 * Adds the outer product of each of the rows with itself, times its weight, to the lower triangle of the matrix. The rows
 * have `size` entries, and zeros after those.
 */
export function addProducts(size: i32): void {
  const end: usize = (<usize>size) << 3
  let first: usize = end
  let line: usize = matrix
  for (let x: usize = 0; x < end; x += 8, line += STRIDE) {
    const f0 = factor(0, x)
    const f1 = factor(1, x)
    const f2 = factor(2, x)
    const f3 = factor(3, x)
    const f4 = factor(4, x)
    const f5 = factor(5, x)
    const f6 = factor(6, x)
    const f7 = factor(7, x)
    if (f0 === 0 && f1 === 0 && f2 === 0 && f3 === 0 && f4 === 0 && f5 === 0 && f6 === 0 && f7 === 0) continue
    if (first === end) first = x & ~15
    // Entries are added in pairs: the one before the first is 0 in all rows, and the one after the last does not count.
    for (let y = first; y <= x; y += 16) {
      let sum = v128.load(line + y)
      sum = added(sum, f0, 0, y)
      sum = added(sum, f1, 1, y)
      sum = added(sum, f2, 2, y)
      sum = added(sum, f3, 3, y)
      sum = added(sum, f4, 4, y)
      sum = added(sum, f5, 5, y)
      sum = added(sum, f6, 6, y)
      sum = added(sum, f7, 7, y)
      v128.store(line + y, sum)
    }
  }
}
