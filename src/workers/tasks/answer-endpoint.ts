import { type AnswerTask, answerBytes } from '../../api/answer.ts'
import { packInputs, symbolOfInputs, unpackInputs } from '../../api/inputs/packing.ts'
import type { Task } from './task.ts'

/** Answers an endpoint as bytes of the requested form, JSON by default. Throws the ApiError of a refusal. */
export const answerEndpoint: Task<AnswerTask & { readonly endpoint: string }, Uint8Array> = {
  symbol: ({ inputs }) => symbolOfInputs(inputs),
  run({ endpoint: id, ...task }, { endpoints }) {
    const endpoint = endpoints.get(id)
    if (endpoint === undefined) throw new Error(`no endpoint is called ${id}`)
    return answerBytes(endpoint, task)
  },
  pack: (args, refOf) => ({ ...args, inputs: packInputs(args.inputs, refOf) }),
  unpack: (args, chainOf) => ({ ...args, inputs: unpackInputs(args.inputs, chainOf) })
}
