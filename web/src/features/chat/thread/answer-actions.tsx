import type { Message } from '@atrium/contract/chat'
import {
  FileText,
  Globe,
  Languages,
  ListCollapse,
  ListPlus,
  Pencil,
  Quote,
  RefreshCw,
  Shuffle,
  ThumbsDown,
  ThumbsUp,
} from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../../../api/query.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { ReadAloudButton } from '../../../blocks/read-aloud/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { webConfigQuery } from '../compose/web-mode.ts'
import { regenerateAnswer } from '../open/ask.ts'
import { rateMessage } from '../open/edit.ts'
import { asMarkdown } from '../sources/as-markdown.ts'
import { useText } from 'virtual:words/chat'
import { ActionBar, RowTime } from './action-bar.tsx'
import { useThread } from './context.ts'
import { InfoPopover } from './info-popover.tsx'
import { MessageMenu, textOf } from './message-menu.tsx'
import { Siblings } from './siblings.tsx'

/** What can be done with an answer that stands. */
export function AnswerActions({ message, isLast, who }: { message: Message; isLast: boolean; who: string }) {
  const t = useText('chat')
  const { chat, attempt, edit, showSources, ownerName } = useThread()
  const own = ownerName === null
  const vote = (value: 1 | -1) => attempt(() => rateMessage(chat, message, message.rating === value ? null : value))
  return (
    <ActionBar always={isLast || message.siblingCount > 1}>
      <CopyButton text={() => asMarkdown(message)} label={t('row.copy')} keys="C" />
      {message.content && <ReadAloudButton id={message.id} title={who} find={() => textOf(message.id)} />}
      {own && (
        <>
          <RegenerateMenu message={message} />
          <IconButton
            label={t('row.good')}
            icon={<ThumbsUp />}
            size="small"
            pressed={message.rating === 1}
            onClick={() => vote(1)}
          />
          <IconButton
            label={t('row.bad')}
            icon={<ThumbsDown />}
            size="small"
            pressed={message.rating === -1}
            onClick={() => vote(-1)}
          />
        </>
      )}
      <InfoPopover message={message} who={who} />
      <MessageMenu
        message={message}
        align="start"
        first={
          own && (
            <MenuItem icon={<Pencil />} keys="E" onSelect={() => edit(message.id)}>
              {t('row.edit')}
            </MenuItem>
          )
        }
        last={
          (message.sources.length > 0 || message.retrieval) && (
            <MenuItem icon={<Quote />} onSelect={() => showSources(message)}>
              {t('sources.title')}
            </MenuItem>
          )
        }
      />
      <Siblings message={message} />
      <RowTime message={message} />
    </ActionBar>
  )
}

function RegenerateMenu({ message }: { message: Message }) {
  const t = useText('chat')
  const { chat, attempt, pickModelFor } = useThread()
  const [askingInstruction, setAskingInstruction] = useState(false)
  const again = (instruction?: string) => attempt(() => regenerateAnswer(chat, message, { instruction }))
  const [onWeb, setOnWeb] = useState(false)
  // Asked only when the menu is opened.
  const look = (open: boolean) => {
    if (open)
      void queryClient.ensureQueryData(webConfigQuery).then(
        ({ allowed }) => setOnWeb(allowed),
        () => setOnWeb(false),
      )
  }
  return (
    <>
      <Menu
        align="start"
        onOpenChange={look}
        trigger={<IconButton label={t('again.label')} keys="R" icon={<RefreshCw />} size="small" />}
      >
        <MenuItem icon={<RefreshCw />} onSelect={() => again()}>
          {t('again.again')}
        </MenuItem>
        <MenuItem icon={<Shuffle />} onSelect={() => pickModelFor(message)}>
          {t('again.model')}
        </MenuItem>
        <MenuItem icon={<ListCollapse />} onSelect={() => again(t('again.shorterWish'))}>
          {t('again.shorter')}
        </MenuItem>
        <MenuItem icon={<ListPlus />} onSelect={() => again(t('again.longerWish'))}>
          {t('again.longer')}
        </MenuItem>
        {onWeb && (
          <MenuItem
            icon={<Globe />}
            onSelect={() => attempt(() => regenerateAnswer(chat, message, { webSearch: true }))}
          >
            {t('web.again')}
          </MenuItem>
        )}
        {message.retrieval &&
          message.retrieval.mode !== 'full' &&
          message.sources.some(({ documentId }) => documentId) && (
            <MenuItem
              icon={<FileText />}
              onSelect={() => attempt(() => regenerateAnswer(chat, message, { wholeDocuments: true }))}
            >
              {t('again.whole')}
            </MenuItem>
          )}
        <MenuItem icon={<Languages />} onSelect={() => setAskingInstruction(true)}>
          {t('again.wish')}
        </MenuItem>
      </Menu>
      {askingInstruction && (
        <InstructionDialog
          onClose={() => setAskingInstruction(false)}
          onInstruction={(instruction) => {
            setAskingInstruction(false)
            again(instruction)
          }}
        />
      )}
    </>
  )
}

function InstructionDialog({
  onClose,
  onInstruction,
}: {
  onClose: () => void
  onInstruction: (instruction: string) => void
}) {
  const t = useText('chat')
  const [instruction, setInstruction] = useState('')
  return (
    <FormDialog
      title={t('again.wish')}
      width="narrow"
      submit={t('again.again')}
      disabled={!instruction.trim()}
      onSubmit={() => onInstruction(instruction.trim())}
      onClose={onClose}
    >
      <Field label={t('again.wishLabel')} hint={t('again.wishHint')}>
        <Input
          value={instruction}
          maxLength={500}
          onChange={(event) => setInstruction(event.target.value)}
          dir="auto"
        />
      </Field>
    </FormDialog>
  )
}
