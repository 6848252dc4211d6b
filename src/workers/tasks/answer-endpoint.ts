import { type AnswerTask, answerBytes } from '../../api/answer.ts'
import { packInputs, symbolOfInputs, unpackInputs } from '../../api/inputs/packing.ts'
import type { Task } from './task.ts'

/**
 * Computes the response of an endpoint as bytes in the requested format, JSON by default. Throws an ApiError if the
 * request is refused.
 */
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
