/**
 * Solves the linear system A x = b by elimination with row pivoting. `a` holds n rows of n numbers. Both arrays are
 * overwritten, and `b` becomes x. If the system is singular, `b` contains NaN or infinities.
 */
export function solveLinear(a: Float64Array, b: Float64Array, n: number): void {
  for (let k = 0; k < n; k++) {
    let pivot = k
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) pivot = i
    if (pivot !== k) swapRows(a, b, n, k, pivot)
    const inverse = 1 / a[k * n + k]
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k] * inverse
      if (factor === 0) continue
      for (let j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j]
      b[i] -= factor * b[k]
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i]
    for (let j = i + 1; j < n; j++) sum -= a[i * n + j] * b[j]
    b[i] = sum / a[i * n + i]
  }
}

function swapRows(a: Float64Array, b: Float64Array, n: number, k: number, l: number): void {
  for (let j = k; j < n; j++) {
    const kept = a[k * n + j]
    a[k * n + j] = a[l * n + j]
    a[l * n + j] = kept
  }
  const kept = b[k]
  b[k] = b[l]
  b[l] = kept
}
