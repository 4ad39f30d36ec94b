/** The scopes as a person chooses them: by purpose, or area by area. Pure. */
import { areaNames } from '@atrium/contract'
import { type Scope, scopes } from '@atrium/contract/scopes'
import { i18n } from '../../../lib/texts.ts'

/** What most tokens are for; `custom` is everything else. */
export type Purpose = 'inference' | 'read' | 'custom'

export interface AreaRights {
  readonly area: string
  readonly read: Scope | null
  readonly write: Scope | null
}

/** All of it that the account may give; what is for administrators only they see. */
export const availableScopes = (isAdmin: boolean): Scope[] => scopes.filter((scope) => isAdmin || !forAdmins(scope))

/** The scopes that belong to areas, in the order of the list. */
export function areasOf(list: readonly Scope[]): AreaRights[] {
  const areas = new Set(list.flatMap((scope) => (scope.includes(':') ? [scope.split(':')[0] ?? ''] : [])))
  const find = (name: string) => list.find((scope) => scope === name) ?? null
  return [...areas].map((area) => ({ area, read: find(`${area}:read`), write: find(`${area}:write`) }))
}

/** The key of what an area is called: a word of its own here, else the title of the area's page. */
export const nameKeyOf = (tag: string): string =>
  [`api-tokens:area.${tag}`, ...areaNames.flatMap((area) => (area.tag === tag ? [`${area.name}:title`] : []))].find(
    (key) => i18n.exists(key),
  ) ?? tag

/** The scopes of a purpose. */
export const scopesFor = (purpose: Exclude<Purpose, 'custom'>, isAdmin: boolean): Scope[] =>
  purpose === 'inference'
    ? ['inference']
    : availableScopes(isAdmin).filter((scope) => scope.endsWith(':read') || scope === 'admin')

export function purposeOf(list: readonly Scope[], isAdmin: boolean): Purpose {
  const same = (other: readonly Scope[]) => other.length === list.length && other.every((scope) => list.includes(scope))
  if (same(scopesFor('inference', isAdmin))) return 'inference'
  return same(scopesFor('read', isAdmin)) ? 'read' : 'custom'
}

const forAdmins = (scope: Scope): boolean => scope === 'admin' || scope.startsWith('user-administration:')
