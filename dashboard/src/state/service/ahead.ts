import { signal } from '@preact/signals'

/** The moment of a replay that comes next while it plays, in New York; undefined while nothing plays. */
export const ahead = signal<string>()

/** One answer that was asked for before it was wanted. */
export function keptAhead<Answer>() {
  let kept: { readonly name: string; readonly answer: Promise<Answer>; readonly gaveUp: AbortController } | undefined
  const nameOf = (params: object, moment: string | undefined) => `${moment} ${JSON.stringify(params)}`
  const forget = () => {
    kept?.gaveUp.abort()
    kept = undefined
  }
  return {
    forget,
    keep(params: object, moment: string, ask: (signal: AbortSignal) => Promise<Answer>): void {
      const name = nameOf(params, moment)
      if (kept?.name === name) return
      forget()
      const gaveUp = new AbortController()
      const answer = ask(gaveUp.signal)
      answer.catch(() => {}) // told to whoever takes it
      kept = { name, answer, gaveUp }
    },
    /** The answer to exactly this question, once; another one is forgotten. */
    take(params: object, moment: string | undefined): Promise<Answer> | undefined {
      const isIt = kept?.name === nameOf(params, moment)
      const answer = isIt ? kept?.answer : undefined
      if (!isIt) kept?.gaveUp.abort()
      kept = undefined
      return answer
    }
  }
}
