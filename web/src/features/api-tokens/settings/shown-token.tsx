import type { ApiToken } from '@atrium/contract/api-tokens'
import { useState } from 'react'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { snippetsFor } from './snippets.ts'
import { useText } from 'virtual:words/api-tokens'

export interface NewToken {
  readonly token: string
  readonly record: ApiToken
}

/** The new token, with lines that put it to use. */
export function ShownToken({ shown: { token, record }, onClose }: { shown: NewToken; onClose: () => void }) {
  const t = useText('api-tokens')
  const [tab, setTab] = useState<string>('curl')
  const snippets = snippetsFor(location.origin, token, record.scopes.includes('inference'))
  return (
    <ShownOnce
      title={t('shown.title', { name: record.name })}
      text={t('shown.text')}
      secret={token}
      copy={t('shown.copy')}
      warning={t('shown.warning')}
      onClose={onClose}
    >
      <h3 className="mt-3 mb-1.5 text-sm font-semibold">{t('shown.use')}</h3>
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
    </ShownOnce>
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
