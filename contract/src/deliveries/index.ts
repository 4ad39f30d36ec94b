/** How notifications leave the inbox. It has no routes. */
import { area } from '../area.ts'
import { routes } from '../route.ts'
import { deliveriesDescription } from './area.ts'

export const deliveriesArea = area(deliveriesDescription, { routes: routes({}), shapes: {} })
