import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathInPackage } from './package.ts'

export interface MethodPage {
  readonly name: string
  readonly title: string
  readonly text: () => string
}

/** The pages of methods beside this program, for assistants; none where they were not installed. */
export function methodPages(folder = pathInPackage('docs/methods')): readonly MethodPage[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => /^[a-z][\w-]*\.md$/.test(file))
  return files.sort().map((file) => {
    const text = () => readFileSync(join(folder, file), 'utf8')
    return { name: file.slice(0, -3), title: /^# (.+)$/m.exec(text())?.[1] ?? file, text }
  })
}
