import { spawnSync } from 'node:child_process'

/** The Python that tests run, 3.9 or newer: that of the system first, which has the packages of the system. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0
)

/** Whether a package can be imported. */
export const hasPackage = (name: string): boolean =>
  python !== undefined && spawnSync(python, ['-c', `import ${name}`]).status === 0
