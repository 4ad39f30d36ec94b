import { useEffect } from 'react'
import { announce } from '../../../lib/announce.ts'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/tool-calls'
import { PlainText } from '../plain-text.tsx'

/** What a page wants its person to allow: to read a resource of its server, or to write a message. */
export interface AppRequest {
  readonly kind: 'resource' | 'message'
  readonly text: string
  readonly decide: (allowed: boolean) => void
}

export function AppQuestion({ request: { kind, text, decide } }: { request: AppRequest }) {
  const t = useText('tool-calls')
  const asks = t(`app.asks.${kind}`)
  useEffect(() => announce(asks, 'assertive'), [asks])
  return (
    <section aria-label={asks} className="rounded-lg border border-warn-ink/40 bg-sunken text-sm">
      <p className="border-b border-line px-3 py-2 font-medium">{asks}</p>
      <div className="flex flex-col gap-2.5 px-3 py-2.5">
        <p dir="auto" className="max-h-48 overflow-y-auto text-start whitespace-pre-wrap wrap-anywhere">
          <PlainText text={text} />
        </p>
        <div className="flex flex-wrap gap-1.5">
          <Button size="small" tone="primary" onClick={() => decide(true)}>
            {t(`app.allow.${kind}`)}
          </Button>
          <Button size="small" onClick={() => decide(false)}>
            {t('ask.decline')}
          </Button>
        </div>
      </div>
    </section>
  )
}
