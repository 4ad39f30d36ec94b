import { chatRoutes } from '@atrium/contract/chat'
import type { ToolApproval, ToolDecision } from '@atrium/contract/generation'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { call } from '../../../../api/client.ts'
import { announce } from '../../../../lib/announce.ts'
import { Button } from '../../../../ui/button.tsx'
import { Kbd } from '../../../../ui/kbd.tsx'
import { useText } from 'virtual:words/chat'
import { useThread } from '../context.ts'

const keys: Readonly<Record<ToolDecision, string>> = { allow_once: 'A', always_allow_tool: 'W', deny: 'D' }

/** The question whether a tool may be used. Nothing is answered by Enter alone; A, W and D do while it has the focus. */
export function ApprovalCard({ name, approval }: { name: string; approval: ToolApproval }) {
  const t = useText('chat')
  const { chat, attempt, ownerName } = useThread()
  const [chosen, setChosen] = useState<ToolDecision | null>(null)
  const asks = `${t('tools.asks')} ${name}`
  useEffect(() => {
    if (ownerName === null) announce(asks, 'assertive')
  }, [asks, ownerName])
  if (ownerName !== null) return null
  const decide = (decision: ToolDecision): void => {
    if (chosen !== null) return
    setChosen(decision)
    attempt(async () => {
      try {
        const params = { sessionId: chat.id, approvalId: approval.id }
        await call(chatRoutes.decide, { params, body: { decision } })
      } finally {
        setChosen(null)
      }
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const decision = approval.decisions.find((one) => keys[one] === event.key.toUpperCase())
    if (!decision) return
    event.preventDefault()
    event.stopPropagation()
    decide(decision)
  }
  return (
    <div
      role="group"
      aria-label={asks}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="flex flex-wrap items-center gap-2 rounded-b-lg border-t border-line bg-warn-soft px-3 py-2.5"
    >
      <p className="min-w-48 flex-1">
        <span className="font-medium">{t('tools.asks')}</span> <span className="text-muted">{t('tools.asksHelp')}</span>
      </p>
      <span className="flex flex-wrap gap-1.5">
        {approval.decisions.map((decision) => (
          <Button
            key={decision}
            size="small"
            busy={chosen === decision}
            disabled={chosen !== null}
            onClick={() => decide(decision)}
          >
            {t(`tools.${decision}`)}
            <Kbd keys={keys[decision]} className="max-tab:hidden" />
          </Button>
        ))}
      </span>
    </div>
  )
}
