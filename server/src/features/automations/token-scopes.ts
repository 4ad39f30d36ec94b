/** What a program has to be allowed besides, as an automation does it later with the rights of its account. Pure. */
import type { AutomationContent, EventKind } from '@atrium/contract/automations'
import type { Scope } from '@atrium/contract/scopes'
import type { Caller } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { isEventTrigger } from './events/rules.ts'

/** The scopes for what an automation does beside asking a model in a chat. */
export const scopesFor = ({ tools, triggers, target }: AutomationContent): ReadonlySet<Scope> =>
  new Set([
    ...(tools.length > 0 ? (['chat-tools:write'] as const) : []),
    ...(target.kind === 'channel' ? (['channels:write'] as const) : []),
    ...triggers.filter(isEventTrigger).map(({ event }) => scopeOf(event)),
  ])

/** What an event tells can be read with its run. */
const scopeOf = (event: EventKind): Scope => {
  if (event === 'channel-message') return 'channels:read'
  if (event === 'calendar-event') return 'calendar:read'
  return event === 'collection-document' ? 'document-knowledge:read' : 'notifications:read'
}

/** Refuses with `token_scope` what the token of a caller may not do by itself either. */
export const requireScopes = ({ token }: Pick<Caller, 'token'>, content: AutomationContent): void => {
  const missing = token === null ? [] : [...scopesFor(content)].filter((scope) => !token.scopes.includes(scope))
  if (missing.length === 0) return
  const names = missing.map((scope) => `\`${scope}\``).join(' and ')
  throw fail('token_scope', `This API token lacks the scope ${names}. Its owner can add it in the settings.`)
}
