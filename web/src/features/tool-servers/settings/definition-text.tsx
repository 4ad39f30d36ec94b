import type { ToolDefinition } from '@atrium/contract/tool-servers'
import { PlainText } from '../../../blocks/tool-calls/plain-text.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { useText } from 'virtual:words/tool-servers'

/** What a server says of a tool. It is untrusted text: shown as they are, with what cannot be seen in them. */
export function DefinitionText({ definition }: { definition: Pick<ToolDefinition, 'description' | 'inputSchema'> }) {
  const t = useText('tool-servers')
  return (
    <div className="min-w-0 text-sm">
      <p dir="auto" className="max-h-48 overflow-y-auto text-start whitespace-pre-wrap wrap-anywhere" tabIndex={0}>
        {definition.description === '' ? (
          <span className="text-muted">{t('tool.noDescription')}</span>
        ) : (
          <PlainText text={definition.description} />
        )}
      </p>
      <Disclosure title={t('tool.schema')}>
        <pre
          dir="ltr"
          tabIndex={0}
          className="max-h-72 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 text-start font-mono text-xs whitespace-pre-wrap wrap-anywhere"
        >
          <PlainText text={JSON.stringify(definition.inputSchema, null, 2)} />
        </pre>
      </Disclosure>
    </div>
  )
}
