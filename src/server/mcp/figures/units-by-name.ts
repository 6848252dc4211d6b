const lastNameOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/**
 * Names of figures by their unit. A name stands for all figures that are called so, unless others of that name have
 * another unit: then whole paths tell them apart.
 */
export function unitsByName(units: ReadonlyMap<string, ReadonlySet<string>>): Readonly<Record<string, string>> {
  const unitsOf = new Map<string, Set<string>>()
  for (const [unit, paths] of units) {
    for (const path of paths) {
      const name = lastNameOf(path)
      unitsOf.set(name, (unitsOf.get(name) ?? new Set()).add(unit))
    }
  }
  const nameOf = (path: string) => (unitsOf.get(lastNameOf(path))!.size === 1 ? lastNameOf(path) : path)
  return Object.fromEntries([...units].map(([unit, paths]) => [unit, [...new Set([...paths].map(nameOf))].join(' ')]))
}
