import { type AuditAction, auditActions } from '@atrium/contract/audit'

/** What people look for, as groups of actions. Every action is in exactly one. */
export const actionKinds = {
  signIn: ['auth.'],
  credentials: ['session.', 'token.', 'push-device.', 'automation.'],
  sharing: [
    'grant.',
    'transfer.',
    'calendar-feed.',
    'webhook.',
    'tool-server.',
    'tool-server-tool.',
    'tool-server-credential.',
    'tool-server-sign-in.',
    'tool-server-client.',
    'tool-server-prompt.',
    'tool-server-resource.',
    'connection.',
    'break-glass.',
    'feature.',
    'channel.',
    'channel-member.',
    'channel-message.',
  ],
  people: ['user.', 'group.'],
  instance: [
    'setting.',
    'banner.',
    'logo.',
    'definition.',
    'provider.',
    'model.',
    'job.',
    'audit.',
    'tool.',
    'code.',
    'harness-run.',
    'harness-automation.',
    'support-bundle.',
    'backup-destination.',
    'backup.',
    'recovery-drill.',
    'recovery-key.',
    'recovery-pause.',
  ],
} as const
export type ActionKind = keyof typeof actionKinds

export const actionsOf = (kind: ActionKind): AuditAction[] =>
  auditActions.filter((action) => actionKinds[kind].some((prefix) => action.startsWith(prefix)))

export const timeSpans = { day: 1, week: 7, month: 30, all: null } as const
export type TimeSpan = keyof typeof timeSpans

export interface AuditFilter {
  readonly kind: ActionKind | 'all'
  readonly result: 'all' | 'success' | 'denied' | 'failure'
  readonly span: TimeSpan
  /** Words that stand in the entries. */
  readonly text: string
  /** An account, by id, with its name for the screen. */
  readonly actor: { readonly id: string; readonly name: string } | null
}

/** What the server is asked for. `now`: integer milliseconds; `wordsOf`: what an action is called on screen. */
export function toQuery(
  { kind, result, span, actor, text }: AuditFilter,
  now: number,
  wordsOf: (action: AuditAction) => string,
) {
  const days = timeSpans[span]
  const words = text.trim().toLowerCase()
  const meant = words ? auditActions.filter((action) => wordsOf(action).toLowerCase().includes(words)) : []
  return {
    ...(words ? { q: text.trim() } : {}),
    ...(meant.length > 0 ? { qActions: meant.join(',') } : {}),
    ...(kind === 'all' ? {} : { action: actionsOf(kind).join(',') }),
    ...(result === 'all' ? {} : { result }),
    ...(actor ? { actor: actor.id } : {}),
    // Whole minutes, so that the same choice stays the same question for a while.
    ...(days === null ? {} : { after: new Date(Math.floor(now / 60_000) * 60_000 - days * 86_400_000).toISOString() }),
  }
}
