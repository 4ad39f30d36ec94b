import type { ApiToken } from '@atrium/contract/authentication'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { snippetsFor } from './snippets.ts'
import { useText } from './texts.ts'

export interface Shown {
  readonly token: string
  readonly record: ApiToken
}

/** The new token, this once, with lines that put it to use. Leaving it is a deliberate act. */
export function ShownOnce({ shown, onClose }: { shown: Shown | null; onClose: () => void }) {
  const t = useText('tokens')
  const [tab, setTab] = useState<string>('curl')
  if (!shown) return null
  const { token, record } = shown
  const snippets = snippetsFor(location.origin, token, record.scopes.includes('inference'))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      modalOnly
      title={t('shown.title', { name: record.name })}
      description={t('shown.text')}
      footer={
        <Button tone="primary" onClick={onClose}>
          {t('shown.done')}
        </Button>
      }
    >
      <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
          {token}
        </code>
        <CopyButton text={token} label={t('shown.copy')} />
      </div>
      <p className="mt-2 flex items-start gap-1.5 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('shown.warning')}
      </p>
      <h3 className="mt-5 mb-1.5 text-sm font-semibold">{t('shown.use')}</h3>
      <Tabs
        label={t('shown.use')}
        value={snippets.some(({ name }) => name === tab) ? tab : 'curl'}
        onChange={setTab}
        tabs={snippets.map(({ name, text }) => ({
          value: name,
          label: t(`snippet.${name}`),
          content: <Lines text={text} label={t('shown.copyLines')} />,
        }))}
      />
    </Dialog>
  )
}

function Lines({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative mt-2 rounded-md border border-line bg-sunken">
      <pre
        dir="ltr"
        className="overflow-x-auto py-2.5 ps-3 pe-11 text-start font-mono text-xs whitespace-pre-wrap break-all"
      >
        {text}
      </pre>
      <CopyButton text={text} label={label} className="absolute! end-1 top-1" />
    </div>
  )
}
