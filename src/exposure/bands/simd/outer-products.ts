import { instantiate } from '../../../memory/web-assembly.ts'
import { wasm } from './products.wasm.ts'

// WebAssembly SIMD adds two entries of eight rows at a time, which takes a third of the time of the equivalent JavaScript
// (Node 20). The sums are the same to the last bit.

interface Global {
  readonly value: number
}

/** Exports of products.as.ts, which documents them. Lower-case globals are byte addresses in the module's memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly MOST: Global
  readonly ROWS: Global
  readonly matrix: Global
  readonly rows: Global
  readonly weights: Global
  addProducts(size: number): void
}

interface ProductKernel {
  /** Greatest length of a row, which is also the distance between the rows of `matrix` and `rows`. */
  readonly most: number
  readonly rowsAtOnce: number
  readonly matrix: Float64Array
  readonly rows: Float64Array
  readonly weights: Float64Array
  addProducts(size: number): void
}

let kernel: ProductKernel | undefined

function makeKernel(): ProductKernel {
  const { memory, addProducts, ...globals } = instantiate(wasm) as Exports
  const [most, rowsAtOnce] = [globals.MOST.value, globals.ROWS.value]
  const column = ({ value }: Global, length: number) => new Float64Array(memory.buffer, value, length)
  return {
    most,
    rowsAtOnce,
    matrix: column(globals.matrix, most * most),
    rows: column(globals.rows, rowsAtOnce * most),
    weights: column(globals.weights, rowsAtOnce),
    addProducts
  }
}

/**
 * Adds the outer product of each row with itself, times its weight, to the lower triangle of a square matrix of at most
 * 128 rows. Near-zero entries at both ends of a row count as 0.
 */
export function addOuterProducts(matrix: Float64Array, rows: Float64Array, weightOf: (row: number) => number): void {
  kernel ??= makeKernel()
  const { most, rowsAtOnce, weights } = kernel
  const size = Math.sqrt(matrix.length)
  if (size > most) throw new Error(`a matrix of ${size} rows is too large`)
  for (let x = 0; x < size; x++) kernel.matrix.set(matrix.subarray(x * size, x * size + x + 1), x * most)
  kernel.rows.fill(0)
  let held = 0
  const flush = () => {
    weights.fill(0, held)
    kernel!.addProducts(size)
    kernel!.rows.fill(0)
    held = 0
  }
  for (let k = 0; k * size < rows.length; k++) {
    const weight = weightOf(k)
    if (weight === 0) continue
    const [from, to] = span(rows, k * size, size)
    const at = held * most
    for (let x = from; x < to; x++) kernel.rows[at + x] = rows[k * size + x]
    weights[held++] = weight
    if (held === rowsAtOnce) flush()
  }
  if (held > 0) flush()
  for (let x = 0; x < size; x++) matrix.set(kernel.matrix.subarray(x * most, x * most + x + 1), x * size)
}

/** A number below this share of the largest of its row counts as 0, because it has no effect on a draw. */
const FAINT = 1e-9

/** The entries of the row that begins at `start` that are not near zero: from the first up to but excluding the second. */
function span(rows: Float64Array, start: number, size: number): readonly [from: number, to: number] {
  let largest = 0
  for (let x = 0; x < size; x++) largest = Math.max(largest, Math.abs(rows[start + x]))
  const least = FAINT * largest
  let from = 0
  while (from < size && Math.abs(rows[start + from]) <= least) from++
  let to = size
  while (to > from && Math.abs(rows[start + to - 1]) <= least) to--
  return [from, to]
}
