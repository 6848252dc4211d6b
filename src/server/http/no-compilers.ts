/**
 * Value for Fastify's option `schemaController`. Otherwise Fastify would load some hundred modules of schema compilers
 * at every start. They are not needed: the code in `api/` parses parameters and writes responses, so no route gives
 * Fastify a schema.
 */
export const noCompilers = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('a route declares a schema to the framework, which is given no compiler')
}
