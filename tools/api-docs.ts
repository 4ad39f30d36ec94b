/**
 * `npm run api-docs`: writes `docs/routes.txt`, one line for each route: method, path, who may call it, the scope that an
 * API token needs (`-` none, `no-token` where no token will do), and what the path names: a right on a kind of thing,
 * `own`, `instance`, or `-` for nothing; and the table of environment variables in README.md. `--check` writes nothing
 * and fails where one of them differs; `--document <file>` writes the OpenAPI document there instead.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Route, RouteTable } from '@atrium/contract/route'
import { scopesOf } from '@atrium/contract/scopes'
import { routesByTag } from '../server/src/app/areas.ts'
import { environmentVariables } from '../server/src/app/environment.ts'
import { interfaceDocument } from '../server/src/app/interface.ts'

const routesFile = new URL('../docs/routes.txt', import.meta.url)
const readmeFile = new URL('../README.md', import.meta.url)

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
  typeof names === 'object' ? `${names.right} ${names.resource}` : (names ?? '-')

const [begin, end] = ['<!-- variables: written by `npm run api-docs` -->', '<!-- end of variables -->']

/** The README with its table of variables between the markers. */
const withVariables = (readme: string): string => {
  const [before, rest] = readme.split(begin, 2)
  const after = rest?.split(end, 2)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md lacks ${begin} or ${end}.`)
  const rows = environmentVariables.flatMap(({ name, about, usual = 'unset', needs = [] }) => {
    const beside = needs.filter((other) => other !== name).map((other) => `\`${other}\``)
    const needed = beside.length > 0 ? `; needs ${beside.join(' and ')}` : ''
    return about === undefined ? [] : [`| \`${name}\` | ${usual} | ${about}${needed} |`]
  })
  const table = ['| Variable | Default | What it does |', '|---|---|---|', ...rows].join('\n')
  return `${before}${begin}\n${table}\n${end}${after}`
}

const [option, target] = process.argv.slice(2)
const files = [
  { name: 'docs/routes.txt', file: routesFile, text: () => `${listRoutes()}\n` },
  { name: 'README.md', file: readmeFile, text: () => withVariables(readFileSync(readmeFile, 'utf8')) },
]
if (option === '--document' && target) writeFileSync(target, JSON.stringify(interfaceDocument()))
else if (option !== '--check') for (const { file, text } of files) writeFileSync(file, text())
else
  for (const { name, file, text } of files) {
    if (readFileSync(file, 'utf8') === text()) continue
    console.error(`${name} is not what the code says. Run \`npm run api-docs\` and commit it.`)
    process.exitCode = 1
  }
