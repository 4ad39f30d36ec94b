import { auditRoutes } from '@atrium/contract/audit'
import { ShieldCheck, ShieldX } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/audit'

interface State {
  checked: number
  running: boolean
  brokenAt: number | null
  head: string | null
  error: unknown
}

/** Whether anything in the audit was changed, taken out or put in. Goes through it stretch by stretch. */
export function Chain() {
  const t = useText('audit')
  const [state, setState] = useState<State | null>(null)
  const stopped = useRef(false)

  async function check() {
    stopped.current = false
    let next: State = { checked: 0, running: true, brokenAt: null, head: null, error: null }
    setState(next)
    try {
      for (let fromSeq: number | null = 0; fromSeq !== null && !stopped.current; ) {
        const found: { checked: number; brokenAt: number | null; nextSeq: number | null; head: string } = await call(
          auditRoutes.check,
          { query: { fromSeq } },
        )
        next = { ...next, checked: next.checked + found.checked, brokenAt: found.brokenAt, head: found.head }
        fromSeq = found.nextSeq
        setState(next)
      }
      setState(stopped.current ? null : { ...next, running: false })
    } catch (error) {
      setState({ ...next, running: false, error })
    }
  }

  return (
    <section id="chain" className="-mx-3 rounded-lg px-3">
      <Group title={t('chain.title')} text={t('chain.text')}>
        <div className="flex flex-wrap items-center gap-3 py-3">
          <Button busy={state?.running ?? false} onClick={() => void check()}>
            {t('chain.check')}
          </Button>
          {state?.running && (
            <Button tone="quiet" onClick={() => (stopped.current = true)}>
              {t('chain.stop')}
            </Button>
          )}
          <p role="status" className="flex items-center gap-2 text-sm [&_svg]:size-4">
            {state && <Finding state={state} />}
          </p>
        </div>
        {state?.head && !state.running && state.brokenAt === null && !state.error && (
          <div className="pb-3 text-sm">
            <p className="text-muted">{t('chain.head')}</p>
            <p className="flex items-center gap-2">
              <code className="min-w-0 [overflow-wrap:anywhere]">{state.head}</code>
              <CopyButton text={state.head} label={t('chain.copyHead')} />
            </p>
          </div>
        )}
      </Group>
    </section>
  )
}

function Finding({ state }: { state: State }) {
  const t = useText('audit')
  if (state.running) return t('chain.running', { count: state.checked })
  if (state.error) return <span className="text-danger-ink">{wordsOf(state.error)}</span>
  if (state.brokenAt !== null) {
    return (
      <span className="flex items-center gap-2 text-danger-ink">
        <ShieldX aria-hidden /> {t('chain.broken', { at: formatNumber(state.brokenAt) })}
      </span>
    )
  }
  return (
    <span className="flex items-center gap-2 text-ok-ink">
      <ShieldCheck aria-hidden /> {t('chain.whole', { count: state.checked })}
    </span>
  )
}
