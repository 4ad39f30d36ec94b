import { MessageSquareQuote } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { DraftBox } from '../../../../blocks/composer/draft.ts'
import type { TriggerEntry } from '../../../../blocks/composer/triggers/types.ts'
import { showHidden } from '../../../../blocks/tool-calls/invisible.ts'
import { WindowComing } from '../../../../ui/early-keys.tsx'
import { useText } from 'virtual:words/chat-compose-server-content'
import { retryEntry } from './retry-entry.ts'
import { writePrompt } from './insert.ts'
import { useServerPrompts } from './data.ts'

const ValuesDialog = lazy(() => import('./values-dialog.tsx').then((module) => ({ default: module.ValuesDialog })))

/** Prompts of tool servers: choosing one writes its words into the box, after a form where it has arguments. */
export function usePromptEntries(
  draft: DraftBox,
  attempt: (work: () => Promise<unknown>) => void,
): readonly TriggerEntry[] {
  const t = useText('chat-compose-server-content')
  const lists = useServerPrompts()
  return useMemo(
    () =>
      lists.flatMap(
        ({ server, data, askAgain }): TriggerEntry[] =>
          data?.items.map(
            ({ name, title, description, arguments: fields }): TriggerEntry => ({
              id: `prompt ${server.id} ${name}`,
              name: showHidden(title || name),
              icon: MessageSquareQuote,
              hint: server.name,
              section: t('prompts'),
              words: `${name} ${description}`,
              choose(open) {
                if (fields.length === 0) return attempt(() => writePrompt(draft, server.id, name, {}))
                open((close) => (
                  <Suspense fallback={<WindowComing onClose={close} />}>
                    <ValuesDialog
                      title={title || name}
                      description={description}
                      server={server}
                      of={{ prompt: name }}
                      fields={fields}
                      submit={t('insert')}
                      onSubmit={(values) => writePrompt(draft, server.id, name, values)}
                      onClose={close}
                    />
                  </Suspense>
                ))
              },
            }),
          ) ?? [retryEntry(server, t('prompts'), askAgain, t)],
      ),
    [lists, draft, attempt, t],
  )
}
