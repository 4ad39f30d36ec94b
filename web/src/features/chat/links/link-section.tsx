/** The links of a chat, in the window in which it is shared. */
import { chatRoutes as routes } from '@atrium/contract/chat'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { LinkForm, type LinkValues } from '../../../blocks/share-links/link-form.tsx'
import { LinkRow } from '../../../blocks/share-links/link-row.tsx'
import { LinksSection } from '../../../blocks/share-links/section.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { useText } from 'virtual:words/chat-links'

export function LinkSection({ chatId, onChanged }: { chatId: string; onChanged: () => void }) {
  const t = useText('chat-links')
  const links = useQuery({ ...queryOf(routes.links, { params: { sessionId: chatId } }), staleTime: 0 })
  const changed = async () => {
    await Promise.all([refresh(routes.links), refresh(routes.ownLinks)])
    onChanged()
  }
  return (
    <LinksSection
      lead={t('lead')}
      links={links}
      row={(link) => (
        <LinkRow
          key={link.id}
          link={link}
          facts={[t(link.withFiles ? 'row.files' : 'row.words')]}
          onRemove={() => call(routes.removeLink, { params: { linkId: link.id } })}
          onRemoved={changed}
          onChange={async (body) => {
            await call(routes.updateLink, { params: { linkId: link.id }, body })
            await changed()
          }}
        />
      )}
      form={(onMade) => (
        <ChatLinkForm
          chatId={chatId}
          onMade={(url) => {
            onMade(url)
            void changed()
          }}
        />
      )}
    />
  )
}

function ChatLinkForm({ chatId, onMade }: { chatId: string; onMade: (url: string) => void }) {
  const t = useText('chat-links')
  const [withFiles, setWithFiles] = useState(false)
  const create = useMutation({
    mutationFn: (values: LinkValues) =>
      call(routes.addLink, { params: { sessionId: chatId }, body: Object.assign({ withFiles }, values) }),
    onSuccess: ({ url }) => onMade(url),
  })
  return (
    <LinkForm busy={create.isPending} error={create.error} onSubmit={create.mutate}>
      <CheckField label={t('withFiles')} hint={t('withFilesHint')} checked={withFiles} onChange={setWithFiles} />
    </LinkForm>
  )
}
