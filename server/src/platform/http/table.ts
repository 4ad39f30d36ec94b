/** The table of routes as a whole: what must hold before any of it is served. */
import { z } from 'zod'
import { accesses, type Route } from '@atrium/contract/route'
import type { Area } from './area.ts'

/** Throws one error that names every fault: paths claimed twice, parameters not declared, handlers missing or spare. */
export const checkTable = (areas: readonly Area[]): void => {
  const faults: string[] = []
  const owners = new Map<string, string>()
  for (const area of areas) {
    for (const [name, route] of Object.entries(area.routes)) {
      const label = `${area.name}.${name}`
      const place = `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`
      const owner = owners.get(place)
      if (owner) faults.push(`${label} claims ${route.method} ${route.path}, which ${owner} has`)
      owners.set(place, label)
      const named = pathParams(route.path)
      const declared = route.params ? Object.keys(route.params.shape) : []
      for (const param of named) if (!declared.includes(param)) faults.push(`${label} does not declare {${param}}`)
      for (const param of declared)
        if (!named.includes(param)) faults.push(`${label} declares ${param}, which is not in its path`)
      if (!accesses.includes(route.access)) faults.push(`${label} does not say who may call it`)
      if (named.length > 0 && route.names === undefined)
        faults.push(`${label} does not say what its path names, so nobody's right to it would be looked at`)
      if (route.proof && route.access !== 'user' && route.access !== 'admin')
        faults.push(`${label} asks for a fresh proof of somebody who has no session`)
      if (typeof route.names === 'object') {
        if (!named.includes(route.names.id))
          faults.push(`${label} names a thing by {${route.names.id}}, which is not in its path`)
        if (route.access === 'public') faults.push(`${label} names a thing, and is for everybody`)
      }
      if (route.body && (route.method === 'get' || route.upload)) faults.push(`${label} cannot take a JSON body`)
      if (route.stream && !(route.stream instanceof z.ZodType))
        faults.push(`${label} streams something that is no schema`)
      if (typeof area.handlers[name] !== 'function') faults.push(`${label} has no handler`)
    }
    for (const name of Object.keys(area.handlers))
      if (!area.routes[name]) faults.push(`${area.name}.${name} has no route`)
  }
  if (faults.length > 0)
    throw new Error(`The table of routes does not hold:\n${faults.map((f) => `- ${f}`).join('\n')}`)
}

export const pathParams = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

/** Tells which methods a path takes; an empty list means that nothing is there. */
export const createMethodFinder = (areas: readonly Area[]): ((path: string) => string[]) => {
  const known = areas.flatMap((area) =>
    Object.values(area.routes).map((route) => ({
      pattern: patternOf(route),
      methods: route.method === 'get' && !route.stream ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
    })),
  )
  return (path) => [...new Set(known.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
}

const patternOf = ({ path, slashes }: Route): RegExp => {
  const one = path.replace(/[.]/g, '\\.').replace(slashes ? /\{\w+\}(?!$)/g : /\{\w+\}/g, '[^/]+')
  return new RegExp(`^${one.replace(/\{\w+\}$/, '.+')}$`)
}
