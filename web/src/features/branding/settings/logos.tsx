import {
  brandingRoutes,
  type BrandingSettings,
  type LogoVariant,
  logoVariants,
  mostLogoBytes,
} from '@atrium/contract/branding'
import { useRef } from 'react'
import { call } from '../../../api/client.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { PictureFault, pictureTypes, scalePicture } from '../../../lib/scale-picture.ts'
import { Button } from '../../../ui/button.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { keepBranding } from './keep.ts'
import { useText } from 'virtual:words/branding'

/** Large enough for screens with four pixels where others have one. */
const [width, height] = [640, 160]

/** A logo for each look; where there is one only, it stands for both. */
export function Logos({ settings }: { settings: BrandingSettings }) {
  return logoVariants.map((variant) => <LogoRow key={variant} variant={variant} address={settings.logos[variant]} />)
}

function LogoRow({ variant, address }: { variant: LogoVariant; address: string | null }) {
  const t = useText('branding')
  const { saving, save } = useSave()
  const picker = useRef<HTMLInputElement>(null)
  const busy = saving.state === 'saving'
  const set = (logo: string | null) =>
    save(async () => keepBranding(await call(brandingRoutes.setLogo, { params: { variant }, body: { logo } })))
  async function choose(file: File | undefined) {
    if (!file) return
    try {
      const types = ['image/png', 'image/webp'] as const
      await set(await scalePicture(file, { fit: 'contain', width, height, maxBytes: mostLogoBytes, types }))
    } catch (error) {
      if (!(error instanceof PictureFault)) throw error
      toast(t(`logoFault.${error.kind}`), { tone: 'danger' })
    }
  }
  return (
    <Row
      id={variant === 'light' ? 'logo' : 'logo-dark'}
      label={t(`logo.${variant}`)}
      help={t(`logoHelp.${variant}`)}
      saving={saving}
    >
      {(names) => (
        <div className="flex flex-wrap items-center gap-2">
          {address && (
            <span className={`grid h-12 place-items-center rounded-md border border-line px-2 ${grounds[variant]}`}>
              <img src={address} alt="" className="h-8 max-w-40 object-contain" />
            </span>
          )}
          <Button aria-describedby={names['aria-describedby']} disabled={busy} onClick={() => picker.current?.click()}>
            {t(address ? 'logoReplace' : 'logoUpload')}
          </Button>
          {address && (
            <Button tone="quiet" disabled={busy} onClick={() => void set(null)}>
              {t('logoRemove')}
            </Button>
          )}
          <FilePicker picker={picker} accept={pictureTypes} single onFiles={([file]) => void choose(file)} />
        </div>
      )}
    </Row>
  )
}

/** What it will stand on, whatever the look is now. */
const grounds: Readonly<Record<LogoVariant, string>> = { light: 'bg-white', dark: 'bg-neutral-900' }
