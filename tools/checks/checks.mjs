/** The checks by their names: each finds breaches among sources, and says what its rule is. */
import * as circles from './circles.mjs'
import * as names from './names.mjs'
import * as shape from './shape.mjs'
import * as shared from './shared.mjs'
import * as spread from './spread.mjs'
import * as sql from './sql.mjs'

export const checks = { circles, names, shape, shared, spread, sql }
