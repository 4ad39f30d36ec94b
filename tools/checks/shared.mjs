/**
 * No area in a shared file: what the rest of the product must know of an area derives from the lists. A shared file that
 * imports one area is the first of forty that know them all.
 */
import { placeOf, resolveImport } from './sources.mjs'

export const rule =
  'Let it derive from the lists of areas (contract/src/index.ts, server/src/app/areas.ts, web/src/app/features.ts).'

const shared = /^(contract\/src\/[^/]+\.ts|server\/src\/(platform|app)\/.+|web\/src\/(ui|lib|api)\/.+)$/
const lists = new Set(['contract/src/index.ts', 'server/src/app/areas.ts', 'server/src/app/app.ts'])
const ofArea = /^(contract\/src|server\/src\/core|server\/src\/features|web\/src\/features)\/([^/]+)\//

/** What stands below every area by its nature, and the word of the contract that it is about. */
const exceptions = [
  [/^contract\/src\/(area|route)\.ts$/, ['audit']],
  [/^server\/src\/platform\/audit\//, ['audit']],
  [/^server\/src\/platform\/jobs\//, ['durable-jobs', 'system']],
  [/^server\/src\/(platform\/diagnostics|app\/doctor)\//, ['doctor']],
  [/^server\/src\/platform\/formats\/types\.ts$/, ['documents']],
  // Refusals in the shape of other makers' clients.
  [/^server\/src\/platform\/http\/openapi-refusals\.ts$/, ['public-api', 'scim']],
  // Who is asking.
  [/^server\/src\/app\/(active-accounts|authenticate|interface)\.ts$/, ['accounts', 'api-tokens']],
  [/^server\/src\/app\/(checks|health\/ask)\.ts$/, ['system-diagnostics']],
  [/^server\/src\/app\/config\.ts$/, ['accounts']],
  [/^web\/src\/api\/(account|people)\.ts$/, ['accounts', 'groups', 'settings', 'user-administration']],
  [/^web\/src\/api\/((account|stream)-events|live-connection)\.ts$/, ['accounts', 'system']],
]
const isAllowed = (path, area) => exceptions.some(([files, areas]) => files.test(path) && areas.includes(area))

export function find(sources) {
  const known = new Set(sources.map(({ path }) => path))
  return sources
    .filter(({ path, ships }) => ships && shared.test(path) && !lists.has(path))
    .flatMap((source) =>
      source.imports.flatMap(({ specifier, at }) => {
        const area = ofArea.exec(resolveImport(source.path, specifier, known) ?? '')?.[2]
        return area && !isAllowed(source.path, area) ? [`${placeOf(source, at)} imports ${area}: ${specifier}`] : []
      }),
    )
}
