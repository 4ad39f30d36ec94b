import { ImageOff, ImageIcon } from 'lucide-react'
import { chatRoutes } from '@atrium/contract/chat'
import { createContext, use, useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/markdown'
import { pictureKind } from './addresses.ts'
import { Link } from './link.tsx'

/**
 * Whether the server may be asked for pictures of other hosts; it does that for accounts alone. `links`: no address is
 * asked for, not even one of this server.
 */
export const PicturesContext = createContext<boolean | 'links'>(true)

/** An image in an answer. One from a foreign host is loaded only when asked for, and then by the server. */
export function Picture({ src, alt }: { src: string; alt: string }) {
  const t = useText('markdown')
  const canLoad = use(PicturesContext)
  const [wanted, setWanted] = useState(false)
  const [failed, setFailed] = useState(false)
  const picture = pictureKind(src, location.origin)
  const foreign = picture?.kind === 'foreign' ? picture.url : null
  const [fetched, setFetched] = useState<string | null>(null)
  useEffect(() => {
    if (!wanted || foreign === null) return
    const abort = new AbortController()
    let url = ''
    call(chatRoutes.picture, { body: { url: foreign } }, { signal: abort.signal }).then(
      (bytes) => {
        if (abort.signal.aborted) return
        url = URL.createObjectURL(bytes)
        setFetched(url)
      },
      () => abort.signal.aborted || setFailed(true),
    )
    return () => {
      abort.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [wanted, foreign])
  if (picture && picture.kind !== 'inline' && (canLoad === 'links' || (picture.kind === 'foreign' && !canLoad)))
    return <Link href={picture.url}>{alt || t('image.open')}</Link>
  if (!picture || failed) {
    return (
      <span className="inline-flex items-center gap-1.5 text-muted">
        <ImageOff aria-hidden className="size-4" />
        {failed ? t('image.failed') : t('image.unknown')} {alt}
        {picture?.kind === 'foreign' && <Link href={picture.url}>{t('image.open')}</Link>}
      </span>
    )
  }
  if (picture.kind === 'foreign' && !wanted) {
    return (
      <span className="my-1 inline-flex max-w-full flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken px-3 py-2 text-base">
        <ImageIcon aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 truncate">{alt || t('image.untitled')}</span>
        <Button size="small" onClick={() => setWanted(true)}>
          <span dir="auto">{t('image.load', { host: picture.host })}</span>
        </Button>
      </span>
    )
  }
  const shown = picture.kind === 'foreign' ? fetched : picture.url
  if (shown === null) return <Spinner size={14} />
  return (
    <img
      src={shown}
      alt={alt}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
      className="max-h-[70vh] max-w-full rounded-lg"
    />
  )
}
