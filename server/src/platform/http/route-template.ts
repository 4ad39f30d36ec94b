import type { Route } from '@atrium/contract/route'

/** The path of a route as the router writes it: parameters as `:name`, and one that holds slashes as `*`. */
export const routeTemplate = ({ path, slashes }: Pick<Route, 'path' | 'slashes'>): string =>
  (slashes ? path.replace(/\{\w+\}$/, '*') : path).replace(/\{(\w+)\}/g, ':$1')
