import { FileBox, FileCog } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { DraftBox } from '../../../../blocks/composer/draft.ts'
import type { TriggerEntry } from '../../../../blocks/composer/triggers/types.ts'
import { showHidden } from '../../../../blocks/tool-calls/invisible.ts'
import { WindowComing } from '../../../../ui/early-keys.tsx'
import { useText } from 'virtual:words/chat-compose-server-content'
import { retryEntry } from './retry-entry.ts'
import { attachResource } from './insert.ts'
import { useServerResources } from './data.ts'

const ValuesDialog = lazy(() => import('./values-dialog.tsx').then((module) => ({ default: module.ValuesDialog })))

/** What tool servers have to be read: choosing one attaches it; a template asks first for what its address lacks. */
export function useResourceEntries(draft: DraftBox): readonly TriggerEntry[] {
  const t = useText('chat-compose-server-content')
  const lists = useServerResources()
  return useMemo(
    () =>
      lists.flatMap(({ server, data, askAgain }): TriggerEntry[] => {
        if (!data) return [retryEntry(server, t('resources'), askAgain, t)]
        const { items, templates } = data
        return [
          ...items.map(({ uri, name, description }) => ({
            id: `resource ${server.id} ${uri}`,
            name: showHidden(name),
            icon: FileBox,
            hint: server.name,
            section: t('resources'),
            words: `${uri} ${description}`,
            choose: () => attachResource(draft, server.id, name, { uri }),
          })),
          ...templates.map(({ template, name, description, variables }) => ({
            id: `template ${server.id} ${template}`,
            name: showHidden(name),
            icon: FileCog,
            hint: server.name,
            section: t('resources'),
            words: `${template} ${description}`,
            choose: (open: Parameters<TriggerEntry['choose']>[0]) =>
              open((close) => (
                <Suspense fallback={<WindowComing onClose={close} />}>
                  <ValuesDialog
                    title={name}
                    description={description}
                    server={server}
                    of={{ template }}
                    fields={variables.map((variable) => ({ name: variable, description: '', required: true }))}
                    submit={t('attach')}
                    onSubmit={async (values) => {
                      const title = `${name} (${Object.values(values).join(', ')})`
                      attachResource(draft, server.id, title, { template, values })
                    }}
                    onClose={close}
                  />
                </Suspense>
              )),
          })),
        ]
      }),
    [lists, draft, t],
  )
}
