import type { ToolApproval, ToolCall } from '@atrium/contract/generation'
import { useMutation } from '@tanstack/react-query'
import { CircleHelp, ExternalLink } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/tool-calls'
import type { Verdict } from './approval-card.tsx'
import { TimeLeft } from './approval-facts.tsx'
import { AskSignIn } from './ask-sign-in.tsx'
import { AskInput } from './ask-input.tsx'
import { answersOf, type AskValue, faultOf, fieldsOf } from './ask-fields.ts'
import { showHidden } from './invisible.ts'
import { PlainText } from './plain-text.tsx'

interface AskProps {
  readonly call: ToolCall
  readonly approval: ToolApproval
  /** The chat that files go to; null: there is none. */
  readonly chatId: string | null
  /** Tells whoever asks; what it throws is said on the card. */
  readonly decide: (verdict: Verdict) => Promise<unknown>
}

/** What a model or a server wants to know of the person, or wants opened. */
export function AskCard(props: AskProps) {
  const { kind, serverId } = props.approval
  if (kind === 'url') return <OpenPage {...props} />
  if (kind === 'sign-in' && serverId) return <SignInFirst {...props} serverId={serverId} />
  return <Questions {...props} />
}

function SignInFirst({ serverId, decide, ...rest }: AskProps & { serverId: string }) {
  const deciding = useMutation({ mutationFn: decide })
  return (
    <Frame {...rest} error={deciding.error}>
      <AskSignIn serverId={serverId} busy={deciding.isPending} decide={(verdict) => deciding.mutate(verdict)} />
    </Frame>
  )
}

function Questions({ approval, chatId, decide, ...rest }: AskProps) {
  const t = useText('tool-calls')
  const [values, setValues] = useState<Readonly<Record<string, AskValue>>>({})
  const [tried, setTried] = useState(false)
  const deciding = useMutation({ mutationFn: decide })
  const fields = fieldsOf(approval)
  const valueOf = (id: string, initial: AskValue): AskValue => values[id] ?? initial
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (fields.some((field) => faultOf(field, valueOf(field.id, field.initial)) !== null)) return
    deciding.mutate({ decision: 'allow_once', answers: answersOf(fields, values) })
  }
  return (
    <Frame {...rest} approval={approval} error={deciding.error}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3.5">
        {fields.map((field) => {
          const value = valueOf(field.id, field.initial)
          return (
            <AskInput
              key={field.id}
              field={field}
              value={value}
              fault={tried ? faultOf(field, value) : null}
              chatId={chatId}
              onChange={(next) => setValues((before) => ({ ...before, [field.id]: next }))}
            />
          )
        })}
        <div className="flex flex-wrap gap-1.5">
          <Button
            type="submit"
            size="small"
            tone="primary"
            busy={deciding.isPending && deciding.variables.decision === 'allow_once'}
            disabled={deciding.isPending}
          >
            {t('ask.send')}
          </Button>
          <Button size="small" disabled={deciding.isPending} onClick={() => deciding.mutate({ decision: 'deny' })}>
            {t(approval.kind === 'question' ? 'ask.skip' : 'ask.decline')}
          </Button>
        </div>
      </form>
    </Frame>
  )
}

/** A page of a server elsewhere: its host is said before anything is opened. */
function OpenPage({ approval, decide, ...rest }: AskProps) {
  const t = useText('tool-calls')
  const deciding = useMutation({ mutationFn: decide })
  const url = URL.parse(approval.url ?? '')
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  const open = (): void => {
    window.open(approval.url, '_blank', 'noopener,noreferrer')
    deciding.mutate({ decision: 'allow_once' })
  }
  return (
    <Frame {...rest} approval={approval} error={deciding.error}>
      {isWeb ? (
        <>
          <p>
            {t('ask.opens')} <bdi className="font-mono font-medium wrap-anywhere">{url.host}</bdi>
          </p>
          <p dir="ltr" className="max-h-24 overflow-y-auto text-start font-mono text-xs text-muted wrap-anywhere">
            <PlainText text={url.href} />
          </p>
        </>
      ) : (
        <p className="text-danger-ink">{t('ask.badAddress')}</p>
      )}
      <div className="flex flex-wrap gap-1.5">
        {isWeb && (
          <Button
            size="small"
            icon={<ExternalLink className="size-3.5" />}
            disabled={deciding.isPending}
            onClick={open}
          >
            {t('ask.open')}
          </Button>
        )}
        <Button size="small" disabled={deciding.isPending} onClick={() => deciding.mutate({ decision: 'deny' })}>
          {t('ask.decline')}
        </Button>
      </div>
    </Frame>
  )
}

/** Who asks, in whose words, until when; and what went wrong with the last try to answer. */
function Frame({
  call,
  approval,
  error,
  children,
}: Pick<AskProps, 'call' | 'approval'> & { error: Error | null; children: ReactNode }) {
  const t = useText('tool-calls')
  const server = approval.serverName ?? call.serverName
  const isSignIn = approval.kind === 'sign-in'
  const asks = server ? t(isSignIn ? 'ask.signIn' : 'ask.server', { name: showHidden(server) }) : t('ask.model')
  useEffect(() => announce(asks, 'assertive'), [asks])
  return (
    <section aria-label={asks} className="rounded-lg border border-warn-ink/40 bg-sunken text-sm">
      <p className="flex items-center gap-2 border-b border-line px-3 py-2">
        <CircleHelp aria-hidden className="size-3.5 shrink-0 text-warn-ink" />
        <bdi className="min-w-0 font-medium wrap-anywhere">{asks}</bdi>
        {approval.expiresAt !== undefined && <TimeLeft until={approval.expiresAt} />}
      </p>
      <div className="flex flex-col gap-2.5 px-3 py-2.5">
        {approval.message && (
          <p dir="auto" className="max-h-48 overflow-y-auto text-start whitespace-pre-wrap wrap-anywhere">
            <PlainText text={approval.message} />
          </p>
        )}
        {server && !isSignIn && <p className="text-xs text-muted">{t('ask.careful')}</p>}
        {children}
        {error && (
          <p role="alert" className="text-danger-ink">
            {codeOf(error) === 'approval_decided' ? t('decidedElsewhere') : wordsOf(error)}
          </p>
        )}
      </div>
    </section>
  )
}
