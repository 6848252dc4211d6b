import { AccountError } from '../accounts/users.ts'
import type { Terminal } from './command.ts'

/**
 * Returns once the person at the terminal has agreed to what cannot be undone. Where nobody can answer, in a script or
 * behind a pipe, the command has to say `--yes`.
 */
export async function confirm(question: string, command: string, { ask }: Terminal): Promise<void> {
  if (ask === undefined)
    throw new AccountError(`${command} asks first, and nobody is here to answer: give --yes as well`)
  const answer = await ask(`${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new AccountError('nothing was changed')
}
