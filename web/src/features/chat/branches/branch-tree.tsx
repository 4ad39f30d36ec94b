import type { Branch } from '@atrium/contract/chat'
import { CornerDownRight, MessageSquare, Pencil, Pin, UserRound } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { showMessage } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-branches'
import { NameDialog } from './name-dialog.tsx'

/** Deeper ones stand no further in. */
const deepest = 6

/** Branches as a tree: what is read now in bold, and every other version a level deeper. Arrow keys move, Enter switches, F2 names. */
export function BranchTree({
  chat,
  branches,
  onShown,
}: {
  chat: OpenChat
  branches: readonly Branch[]
  onShown: () => void
}) {
  const t = useText('chat-branches')
  const { attempt } = useThread()
  const tree = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [naming, setNaming] = useState<Branch | null>(null)
  const show = ({ id }: Branch) =>
    attempt(async () => {
      setFocused(id)
      await showMessage(chat, id)
      onShown()
    })
  const tabbable = branches.find(({ id }) => id === focused) ?? branches.findLast(({ active }) => active) ?? branches[0]

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const rows = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])]
    const at = rows.indexOf(event.target as HTMLElement)
    if (at < 0) return
    const level = branches[at]?.level ?? 0
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const steps: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: rows.length - 1,
      // To the version that this one stands beside, and to the first one beside this.
      [rtl ? 'ArrowRight' : 'ArrowLeft']: branches.slice(0, at).findLastIndex((branch) => branch.level < level),
      [rtl ? 'ArrowLeft' : 'ArrowRight']: (branches[at + 1]?.level ?? 0) > level ? at + 1 : -1,
    }
    const branch = branches[at]
    if (event.key in steps) rows[steps[event.key] ?? -1]?.focus()
    else if (event.key === 'F2' && branch) setNaming(branch)
    else if ((event.key === 'Enter' || event.key === ' ') && branch) show(branch)
    else return
    event.preventDefault()
  }
  return (
    <div ref={tree} role="tree" aria-label={t('label')} className="flex flex-col gap-0.5">
      {branches.map((branch) => (
        <Row
          key={branch.id}
          branch={branch}
          tabbable={branch === tabbable}
          onFocus={() => setFocused(branch.id)}
          onKeyDown={onKeyDown}
          onShow={() => show(branch)}
          onName={() => setNaming(branch)}
        />
      ))}
      {naming && <NameDialog chat={chat} messageId={naming.id} name={naming.name} onClose={() => setNaming(null)} />}
    </div>
  )
}

function Row({
  branch,
  tabbable,
  onFocus,
  onKeyDown,
  onShow,
  onName,
}: {
  branch: Branch
  tabbable: boolean
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onShow: () => void
  onName: () => void
}) {
  const t = useText('chat-branches')
  const { name, role, words, answer, messageCount, pinnedCount, active, level, createdAt } = branch
  const Icon = role === 'user' ? UserRound : MessageSquare
  return (
    <div
      role="treeitem"
      aria-level={level + 1}
      aria-current={active || undefined}
      aria-keyshortcuts="F2"
      tabIndex={tabbable ? 0 : -1}
      onClick={onShow}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      style={{ marginInlineStart: `${Math.min(level, deepest) * 1.125}rem` }}
      className={classNames(
        'group/branch relative flex cursor-default gap-2 rounded-e-md border-s-2 px-2.5 py-1.5 hover:bg-hover focus-visible:-outline-offset-2',
        active ? 'border-accent-line' : 'border-line text-muted',
      )}
    >
      {level > 0 && <CornerDownRight aria-hidden className="mt-1 size-3.5 shrink-0" />}
      <Icon aria-hidden className="mt-1 size-3.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{role === 'user' ? t('you') : t('answer')}: </span>
        {name !== null && (
          <p
            dir="auto"
            className={classNames('[overflow-wrap:anywhere] text-ink', active ? 'font-semibold' : 'font-medium')}
          >
            {name}
          </p>
        )}
        <p
          dir="auto"
          className={classNames(
            '[overflow-wrap:anywhere]',
            name === null ? 'line-clamp-2' : 'line-clamp-1 text-sm text-muted',
            active && name === null && 'font-semibold',
          )}
        >
          {words || t('wordless')}
        </p>
        {answer && (
          <p dir="auto" className="line-clamp-1 text-sm [overflow-wrap:anywhere] text-muted">
            {answer}
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
          <span>
            {t('messages', { count: messageCount })}
            {' · '}
            <time dateTime={createdAt} title={formatDateTime(createdAt)}>
              {formatAgo(createdAt)}
            </time>
          </span>
          {pinnedCount > 0 && (
            <span className="inline-flex items-center gap-1">
              <Pin aria-hidden className="size-3" />
              {t('pinned', { count: pinnedCount })}
            </span>
          )}
        </p>
        {active && <span className="sr-only">{t('shown')}</span>}
      </div>
      <IconButton
        label={t(name === null ? 'name.giveTo' : 'name.of', { words: name ?? (words.slice(0, 60) || t('wordless')) })}
        keys="F2"
        icon={<Pencil />}
        size="small"
        // The row itself is where keys stand: they name with F2.
        tabIndex={-1}
        className="-me-1 opacity-0 group-hover/branch:opacity-100 group-focus-visible/branch:opacity-100 pointer-coarse:opacity-100"
        onClick={(event) => {
          event.stopPropagation()
          onName()
        }}
      />
    </div>
  )
}
