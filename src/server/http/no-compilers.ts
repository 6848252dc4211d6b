/**
 * For the option `schemaController` of the framework. No route declares a schema to it: parameters are read and answers
 * written by `api/`. By itself it would load its compilers, some hundred modules, with every start.
 */
export const noCompilers = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('a route declares a schema to the framework, which is given no compiler')
}
