/** Thumbnails of films, which the server does not decode: a moment of each is drawn here and kept there. */
import { mediaGalleryRoutes as routes, type MediaItem } from '@atrium/contract/media-gallery'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { placesOf } from '../../lib/scale-picture.ts'

const longestSide = 640
/** A film that does not come, or that this browser does not play, holds up no other. */
const patienceMs = 15_000
/** Those that were tried since the page was opened. */
const tried = new Set<string>()
let queue: Promise<void> = Promise.resolve()

type Film = Pick<MediaItem, 'id' | 'kind' | 'mediaData' | 'thumbnail'>

const needsPoster = ({ kind, thumbnail, id }: Film): boolean => kind === 'video' && thumbnail === null && !tried.has(id)

/** Gives the films among these that have none their thumbnails, one after the other. */
export function usePosters(items: readonly Film[]): void {
  useEffect(() => {
    for (const item of items.filter(needsPoster)) {
      tried.add(item.id)
      // Best effort: without one the film has its sign.
      queue = queue.then(() => takePoster(item)).catch(() => undefined)
    }
  }, [items])
}

async function takePoster({ id, mediaData }: Film): Promise<void> {
  const film = document.createElement('video')
  film.muted = true
  film.playsInline = true
  film.preload = 'auto'
  try {
    const loaded = happened(film, 'loadeddata')
    film.src = mediaData
    await loaded
    // Many begin black.
    const moment = Number.isFinite(film.duration) ? Math.min(1, film.duration / 3) : 0
    if (moment > 0) {
      const sought = happened(film, 'seeked')
      film.currentTime = moment
      await sought
    }
    const file = await pictureOf(film)
    if (file) await call(routes.setPoster, { params: { mediaId: id }, file })
  } finally {
    film.removeAttribute('src')
    film.load()
  }
}

const happened = (film: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The film did not come.')), patienceMs)
    film.addEventListener(event, () => resolve(clearTimeout(timer)), { once: true })
    film.addEventListener('error', () => reject(film.error ?? new Error('The film does not play.')), { once: true })
  })

/** What it shows just now; null where that is nothing. */
async function pictureOf(film: HTMLVideoElement): Promise<Blob | null> {
  const size = { width: film.videoWidth, height: film.videoHeight }
  if (size.width === 0 || size.height === 0) return null
  const { to } = placesOf(size, { fit: 'contain', width: longestSide, height: longestSide })
  const canvas = document.createElement('canvas')
  canvas.width = to.width
  canvas.height = to.height
  canvas.getContext('2d')?.drawImage(film, 0, 0, to.width, to.height)
  return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
