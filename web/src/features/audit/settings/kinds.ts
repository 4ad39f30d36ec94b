import { type AuditAction, auditActions } from '@atrium/contract/audit'

/** What people look for, as groups of actions. Every action is in exactly one. */
export const kinds = {
  signIn: ['auth.'],
  credentials: ['session.', 'token.'],
  sharing: ['grant.', 'break-glass.'],
  people: ['user.', 'group.'],
  instance: ['setting.', 'definition.', 'provider.', 'model.', 'audit.'],
} as const
export type Kind = keyof typeof kinds

export const actionsOf = (kind: Kind): AuditAction[] =>
  auditActions.filter((action) => kinds[kind].some((prefix) => action.startsWith(prefix)))

export const spans = { day: 1, week: 7, month: 30, all: null } as const
export type Span = keyof typeof spans

export interface Choice {
  readonly kind: Kind | 'all'
  readonly result: 'all' | 'success' | 'denied' | 'failure'
  readonly span: Span
  /** An account, by id, with its name for the screen. */
  readonly actor: { readonly id: string; readonly name: string } | null
}

/** What the server is asked for. `now`: integer milliseconds. */
export function toQuery({ kind, result, span, actor }: Choice, now: number) {
  const days = spans[span]
  return {
    ...(kind === 'all' ? {} : { action: actionsOf(kind).join(',') }),
    ...(result === 'all' ? {} : { result }),
    ...(actor ? { actor: actor.id } : {}),
    // Whole minutes, so that the same choice stays the same question for a while.
    ...(days === null ? {} : { after: new Date(Math.floor(now / 60_000) * 60_000 - days * 86_400_000).toISOString() }),
  }
}
