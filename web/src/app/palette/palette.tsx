import { chat } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { MessageCirclePlus, MessageSquare, Settings2 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { queryOf } from '../../api/query.ts'
import { canRun, listActions, runAction } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'
import { loadSettings } from '../../lib/settings.ts'
import { useText } from '../../lib/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useGo, useKeysOf } from '../shell/keys.ts'
import { matches } from '../../lib/match.ts'

/** Goes anywhere, does anything, asks in a new chat. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useText('app')
  const go = useGo()
  const keysOf = useKeysOf()
  const admin = useIsAdmin()
  const [typed, setTyped] = useState('')
  // What is listed follows every key at once: Enter may come right after the last one. Only the server may lag.
  const query = typed.trim()
  const asked = useDeferredValue(query)
  const question = /^[?؟]\s*(.*)$/s.exec(typed.trim())?.[1]
  const chats = useQuery({
    ...queryOf(chat.list, { query: { limit: asked ? 12 : 6, q: asked || undefined } }),
    enabled: question === undefined,
    placeholderData: (before) => before,
  })
  // What an older query found stands in until the answer is here, but only where it fits what is typed now.
  const found = (chats.data?.items ?? []).filter(
    (item) => (asked === query && !chats.isPlaceholderData) || matches(query, item.title),
  )
  const settings = useQuery({ queryKey: ['settings-sections'], queryFn: loadSettings, staleTime: Infinity })

  function choose(run: () => void) {
    // First the window goes, so that focus is where the action wants it.
    onClose()
    setTimeout(run)
  }
  const actions = listActions().filter(
    (action) =>
      !action.keysOnly && canRun(action.id) && matches(query, t(action.name), action.words && t(action.words)),
  )
  const entries = (settings.data ?? [])
    .filter((section) => admin || !section.adminOnly)
    .flatMap((section) => [
      { section, entry: null, name: t(section.name) },
      ...section.entries
        .filter((entry) => admin || !entry.adminOnly)
        .map((entry) => ({ section, entry, name: t(entry.name) })),
    ])
    .filter((item) => query && matches(query, item.name, item.entry?.words && t(item.entry.words)))

  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t('palette.name')} hideTitle>
      <Command shouldFilter={false} loop label={t('palette.name')} className="flex max-h-[min(70dvh,30rem)] flex-col">
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder={t('palette.placeholder')}
          className="h-12 w-full shrink-0 border-b border-line bg-transparent px-4 text-md outline-none! placeholder:text-faint"
        />
        <Command.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5">
          {question !== undefined ? (
            question ? (
              <Row
                id="ask"
                icon={<MessageCirclePlus />}
                onSelect={() => choose(() => go(links.newChat({ q: question }), { ask: question }))}
              >
                {t('palette.askHint', { question })}
              </Row>
            ) : (
              <p className="px-2.5 py-2 text-sm text-muted">{t('palette.tip')}</p>
            )
          ) : (
            <>
              <Command.Empty className="px-2.5 py-6 text-center text-sm text-muted">
                {chats.isFetching ? t('palette.searching') : t('palette.nothing', { query })}
              </Command.Empty>
              {found.length > 0 && (
                <Group heading={query ? t('palette.chats') : t('palette.recent')}>
                  {found.map((item) => (
                    <Row
                      key={item.id}
                      id={`chat ${item.id}`}
                      icon={<MessageSquare />}
                      onSelect={() => choose(() => go(links.chat(item.id)))}
                    >
                      <bdi>{item.title}</bdi>
                    </Row>
                  ))}
                </Group>
              )}
              {actions.length > 0 && (
                <Group heading={t('palette.actions')}>
                  {actions.map((action) => {
                    const Icon = action.icon
                    return (
                      <Row
                        key={action.id}
                        id={action.id}
                        icon={Icon && <Icon />}
                        keys={keysOf(action.id)}
                        onSelect={() => choose(() => runAction(action.id, go))}
                      >
                        {t(action.name)}
                      </Row>
                    )
                  })}
                </Group>
              )}
              {entries.length > 0 && (
                <Group heading={t('palette.settings')}>
                  {entries.map(({ section, entry, name }) => (
                    <Row
                      key={`${section.id} ${entry?.id}`}
                      id={`setting ${section.id} ${entry?.id ?? ''}`}
                      icon={entry ? <Settings2 /> : <section.icon />}
                      onSelect={() => choose(() => go(links.settings(section.id, entry?.id)))}
                    >
                      {entry ? `${t(section.name)} › ${name}` : name}
                    </Row>
                  ))}
                </Group>
              )}
            </>
          )}
        </Command.List>
        <footer className="flex shrink-0 items-center gap-4 border-t border-line px-3.5 py-2 text-xs text-muted max-tab:hidden">
          <span className="flex items-center gap-1.5">
            <Kbd keys="ArrowUp" />
            <Kbd keys="ArrowDown" />
            {t('palette.move')}
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd keys="Enter" />
            {t('palette.open')}
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd keys="Escape" />
            {t('palette.close')}
          </span>
        </footer>
      </Command>
    </Dialog>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  )
}

function Row({
  id,
  icon,
  keys,
  onSelect,
  children,
}: {
  id: string
  icon: ReactNode
  keys?: string
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex min-h-row cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 data-[selected=true]:bg-hover"
    >
      <span className="grid size-4 shrink-0 place-items-center text-muted [&_svg]:size-4">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Kbd keys={keys} className="pointer-coarse:hidden" />}
    </Command.Item>
  )
}
