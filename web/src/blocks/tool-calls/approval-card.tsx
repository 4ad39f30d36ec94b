import type { ToolCall, ToolDecision } from '@atrium/contract/generation'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useText } from 'virtual:words/tool-calls'
import { ApprovalFacts, TimeLeft } from './approval-facts.tsx'
import { CallContent } from './call-content.tsx'
import { EditInput, readInput } from './edit-input.tsx'
import { ProposedEvent } from './proposed-event.tsx'
import { ToolIcon, toolName } from './tool-words.tsx'

const keys: Readonly<Record<ToolDecision, string>> = {
  allow_once: 'A',
  allow_chat: 'C',
  always_allow_tool: 'W',
  deny: 'D',
}

/** What a person decides; `arguments` in place of those that the model gave, `answers` to what was asked. */
export interface Verdict {
  readonly decision: ToolDecision
  readonly arguments?: Record<string, unknown>
  readonly answers?: Record<string, unknown>
}

/**
 * The question whether a tool may be used, with all that it would be called with. Nothing is answered by Enter alone; A, C,
 * W and D do while it has the focus.
 */
export function ApprovalCard({
  call,
  decide,
}: {
  call: ToolCall
  /** Tells whoever asks; what it throws is said on the card. */
  decide: (verdict: Verdict) => Promise<unknown>
}) {
  const t = useText('tool-calls')
  const [edited, setEdited] = useState<string | null>(null)
  const name = toolName(t, call)
  const asks = `${t('asks')} ${name}`
  useEffect(() => announce(asks, 'assertive'), [asks])
  const deciding = useMutation({ mutationFn: decide })
  const { approval } = call
  const input = edited === null ? undefined : readInput(edited)
  // What was changed is allowed as it stands, this once.
  const decisions = (approval?.decisions ?? []).filter(
    (decision) => edited === null || decision === 'allow_once' || decision === 'deny',
  )
  const isAllowed = (decision: ToolDecision) => decision === 'deny' || edited === null || input !== undefined
  const send = (decision: ToolDecision): void => {
    if (deciding.isPending || !isAllowed(decision)) return
    deciding.mutate(decision === 'allow_once' && input ? { decision, arguments: input } : { decision })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const decision = decisions.find((one) => keys[one] === event.key.toUpperCase())
    if (!decision) return
    event.preventDefault()
    event.stopPropagation()
    send(decision)
  }
  if (!approval) return null
  return (
    <div
      role="group"
      aria-label={asks}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="rounded-lg border border-warn-ink/40 bg-sunken text-sm"
    >
      <p className="flex items-center gap-2 px-3 py-2">
        <ToolIcon tool={call} className="size-3.5 shrink-0 text-muted" />
        <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        {call.serverName && <bdi className="min-w-0 truncate text-muted">{call.serverName}</bdi>}
        {approval.expiresAt !== undefined && <TimeLeft until={approval.expiresAt} />}
      </p>
      {call.source === 'builtin' && call.name === 'create_calendar_event' && (
        <ProposedEvent text={edited ?? call.arguments} />
      )}
      {edited === null ? (
        <CallContent call={call} />
      ) : (
        <EditInput text={edited} fault={input === undefined} onChange={setEdited} />
      )}
      <div className="rounded-b-lg border-t border-line bg-warn-soft px-3 py-2.5">
        <ApprovalFacts call={call} approval={approval} />
        <div className="mt-2.5 flex flex-wrap gap-1.5">
          {decisions.map((decision) => (
            <Button
              key={decision}
              size="small"
              busy={deciding.isPending && deciding.variables.decision === decision}
              disabled={deciding.isPending || !isAllowed(decision)}
              onClick={() => send(decision)}
            >
              {t(edited !== null && decision === 'allow_once' ? 'allowEdited' : decision)}
              <Kbd keys={keys[decision]} className="max-tab:hidden" />
            </Button>
          ))}
          {approval.editable && (
            <Button
              size="small"
              tone="quiet"
              disabled={deciding.isPending}
              onClick={() => setEdited(edited === null ? call.arguments : null)}
            >
              {t(edited === null ? 'edit' : 'editCancel')}
            </Button>
          )}
        </div>
        {deciding.error && (
          <p role="alert" className="mt-2 text-danger-ink">
            {codeOf(deciding.error) === 'approval_decided' ? t('decidedElsewhere') : wordsOf(deciding.error)}
          </p>
        )}
      </div>
    </div>
  )
}

/** Keys that are typed into a field are no decision. */
const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement || target instanceof HTMLSelectElement
