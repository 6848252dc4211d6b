import { readFileSync } from 'node:fs'
import type { Setting } from '../connectors/port/setting.ts'
import type { GivenText } from './given-text.ts'

/** Name of the setting for the path of a file that contains the secret. */
export const fileNameOf = (name: string) => `${name}-file`

export function fileSettingOf(name: string, { help }: Setting): [string, Setting] {
  return [fileNameOf(name), { value: 'file', help: `file that holds the ${help}` }]
}

/** Error message for a secret that was given as a flag. `variable` is the environment variable to use instead. */
export function secretAsFlag(name: string, variable: string): string {
  return `--${name} is not taken from the command line, which others on this machine can read: put it into ${variable}, or name its file with --${fileNameOf(name)}`
}

/** Reads a secret from its environment variable or file. Error messages never show the secret. */
export function readSecret<Value>(
  inVariable: GivenText | undefined,
  inFile: GivenText | undefined,
  parse: (text: string) => Value | undefined,
  expected: string,
  problems: string[]
): Value | undefined {
  if (inFile !== undefined && inVariable !== undefined) {
    problems.push(`${inFile.label} and ${inVariable.label} are both given: choose one of them`)
    return undefined
  }
  const given = inFile ?? inVariable
  if (given === undefined) return undefined
  const text = inFile === undefined ? given.text : textOf(inFile.text)
  if (text === undefined) {
    problems.push(`${given.label} must be a file that can be read; it is ${JSON.stringify(given.text)}`)
    return undefined
  }
  const value = parse(text.trim())
  const place = inFile === undefined ? given.label : `what is in the file of ${given.label}`
  if (value === undefined) problems.push(`${place} must be ${expected}`)
  return value
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
