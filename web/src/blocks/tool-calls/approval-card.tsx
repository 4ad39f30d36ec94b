import type { ToolCall, ToolDecision } from '@atrium/contract/generation'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useText } from 'virtual:words/tool-calls'
import { CallDetails } from './call-details.tsx'
import { ToolIcon, toolName } from './tool-words.tsx'

const keys: Readonly<Record<ToolDecision, string>> = {
  allow_once: 'A',
  allow_chat: 'C',
  always_allow_tool: 'W',
  deny: 'D',
}

/**
 * The question whether a tool may be used, with all that it would be called with. Nothing is answered by Enter alone; A, W
 * and D do while it has the focus.
 */
export function ApprovalCard({
  call,
  decide,
}: {
  call: ToolCall
  /** Tells whoever asks; what it throws is said on the card. */
  decide: (decision: ToolDecision) => Promise<unknown>
}) {
  const t = useText('tool-calls')
  const name = toolName(t, call)
  const asks = `${t('asks')} ${name}`
  useEffect(() => announce(asks, 'assertive'), [asks])
  const deciding = useMutation({ mutationFn: decide })
  const decisions = call.approval?.decisions ?? []
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || deciding.isPending) return
    const decision = decisions.find((one) => keys[one] === event.key.toUpperCase())
    if (!decision) return
    event.preventDefault()
    event.stopPropagation()
    deciding.mutate(decision)
  }
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
      </p>
      <CallDetails call={call} />
      <div className="flex flex-wrap items-center gap-2 rounded-b-lg border-t border-line bg-warn-soft px-3 py-2.5">
        <p className="min-w-48 flex-1">
          <span className="font-medium">{t('asks')}</span> <span className="text-muted">{t('asksAgent')}</span>
        </p>
        <span className="flex flex-wrap gap-1.5">
          {decisions.map((decision) => (
            <Button
              key={decision}
              size="small"
              busy={deciding.isPending && deciding.variables === decision}
              disabled={deciding.isPending}
              onClick={() => deciding.mutate(decision)}
            >
              {t(decision)}
              <Kbd keys={keys[decision]} className="max-tab:hidden" />
            </Button>
          ))}
        </span>
        {deciding.error && (
          <p role="alert" className="basis-full text-danger-ink">
            {wordsOf(deciding.error)}
          </p>
        )}
      </div>
    </div>
  )
}
