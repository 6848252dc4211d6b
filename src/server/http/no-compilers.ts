/**
 * Value for Fastify's option `schemaController`. No route declares a schema to Fastify: `api/` reads parameters and
 * writes responses. By default Fastify would load its compilers, some hundred modules, at every start.
 */
export const noCompilers = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('a route declares a schema to the framework, which is given no compiler')
}
