import { accountsRoutes, mostAvatarBytes } from '@atrium/contract/accounts'
import { useRef } from 'react'
import { meQuery, useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { queryClient } from '../../../api/query.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { PictureFault, pictureTypes, scalePicture } from '../../../lib/scale-picture.ts'
import { Button } from '../../../ui/button.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { Monogram } from '../../../ui/monogram.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/settings'

const side = 256

/** The picture of the account: a square that is cut from the middle of what was chosen, here on the page. */
export function AvatarRow() {
  const t = useText('settings')
  const me = useMe()
  const { saving, save } = useSave()
  const picker = useRef<HTMLInputElement>(null)
  const busy = saving.state === 'saving'
  const set = (avatar: string | null) =>
    save(async () => {
      queryClient.setQueryData(meQuery.queryKey, await call(accountsRoutes.setAvatar, { body: { avatar } }))
    })
  async function choose(file: File | undefined) {
    if (!file) return
    try {
      const types = ['image/webp', 'image/jpeg'] as const
      await set(await scalePicture(file, { fit: 'cover', width: side, height: side, maxBytes: mostAvatarBytes, types }))
    } catch (error) {
      if (!(error instanceof PictureFault)) throw error
      toast(t(`profile.pictureFault.${error.kind}`), { tone: 'danger' })
    }
  }
  return (
    <Row id="picture" label={t('profile.picture')} help={t('profile.pictureHelp')} saving={saving}>
      {(names) => (
        <div className="flex flex-wrap items-center gap-2">
          <Monogram name={me.displayName || me.username} picture={me.avatar} className="size-12 text-lg" />
          <Button aria-describedby={names['aria-describedby']} disabled={busy} onClick={() => picker.current?.click()}>
            {t(me.avatar ? 'profile.pictureReplace' : 'profile.pictureUpload')}
          </Button>
          {me.avatar && (
            <Button tone="quiet" disabled={busy} onClick={() => void set(null)}>
              {t('profile.pictureRemove')}
            </Button>
          )}
          <FilePicker picker={picker} accept={pictureTypes} single onFiles={([file]) => void choose(file)} />
        </div>
      )}
    </Row>
  )
}
