/** The shape of an area: one word in contract, server and web, and files that are where the next reader looks for them. */
import { listFiles } from './sources.mjs'

export const rule = 'Give it the shape of the other areas (STYLE, Areas).'

/** What has no routes of its own. */
const inside = new Set(['generation', 'resources'])
const vague = /\/(utils?|helpers?|common|manager|service|impl|misc|deps|room|house)\.tsx?$/

export function find(sources, paths = listFiles()) {
  const files = new Set(paths)
  const names = (folder) =>
    new Set([...files].flatMap((path) => new RegExp(`^${folder}/([^/]+)/`).exec(path)?.[1] ?? []))
  const described = [...names('contract/src')].filter((name) => files.has(`contract/src/${name}/area.ts`))
  const served = ['core', 'features'].flatMap((floor) =>
    [...names(`server/src/${floor}`)].map((name) => ({ name, folder: `server/src/${floor}/${name}` })),
  )
  return [
    ...described.flatMap((name) => {
      const own = served.filter((area) => area.name === name)
      if (own.length !== 1 && !(own.length === 0 && name === 'trash'))
        return [`contract/src/${name}: ${own.length} folders of the server have this name`]
      return files.has(`contract/src/${name}/index.ts`) ? [] : [`contract/src/${name} has no index.ts`]
    }),
    ...served.flatMap(({ name, folder }) => [
      ...(described.includes(name) || inside.has(name) ? [] : [`${folder}: no area of the contract has this name`]),
      ...(files.has(`${folder}/index.ts`) ? [] : [`${folder} has no index.ts`]),
    ]),
    ...[...names('web/src/features')]
      .filter((name) => !described.includes(name))
      .map((name) => `web/src/features/${name}: no area of the contract has this name`),
    ...sources.flatMap(({ path, text, ships }) => [
      ...(ships && path !== 'contract/src/common.ts' && vague.test(path)
        ? [`${path} has a name that says nothing`]
        : []),
      ...(ships &&
      /^server\/src\/(core|features)\//.test(path) &&
      !/\/(tables|migrations)\.ts$/.test(path) &&
      /[`'"]create table /.test(text)
        ? [`${path} makes a table: migrations stand in tables.ts or migrations.ts`]
        : []),
    ]),
  ]
}
