/**
 * `npm run api-docs`: writes `docs/routes.txt`, one line for each route: method, path, who may call it, the scope that an
 * API token needs (`-` none, `no-token` where no token will do), and what the path names: a right on a kind of thing,
 * `own`, `instance`, or `-` for nothing. `--check` writes nothing and fails where the file differs; `--document <file>`
 * writes the OpenAPI document there instead.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Route, RouteTable } from '@atrium/contract/route'
import { scopesOf } from '@atrium/contract/scopes'
import { routesByTag } from '../server/src/app/areas.ts'
import { interfaceDocument } from '../server/src/app/interface.ts'

const file = new URL('../docs/routes.txt', import.meta.url)

const listRoutes = (): string =>
  Object.entries<RouteTable>(routesByTag)
    .flatMap(([tag, table]) => Object.values(table).map((route) => ({ route, scopes: scopesOf(tag, route) })))
    .sort((a, b) => (orderOf(a.route) < orderOf(b.route) ? -1 : 1))
    .map(({ route, scopes }) =>
      [
        route.method.toUpperCase().padEnd(6),
        route.path.padEnd(72),
        route.access.padEnd(6),
        (scopes === null ? 'no-token' : scopes.join('+') || '-').padEnd(32),
        rightOf(route),
      ].join(' '),
    )
    .join('\n')

const orderOf = ({ path, method }: Route): string => `${path} ${method}`

const rightOf = ({ names }: Route): string =>
  typeof names === 'object' ? `${names.right} ${names.thing}` : (names ?? '-')

const [option, target] = process.argv.slice(2)
const text = `${listRoutes()}\n`
if (option === '--document' && target) writeFileSync(target, JSON.stringify(interfaceDocument()))
else if (option !== '--check') writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/routes.txt is not what the contract says. Run `npm run api-docs` and commit it.')
  process.exitCode = 1
}
