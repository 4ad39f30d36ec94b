/** The lists that the gallery reads: items by what the address says, and albums. */
import { mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { pagesOf } from '../../api/pages.ts'
import { queryOf } from '../../api/query.ts'
import type { GallerySearch } from './search.ts'

export const itemPages = ({ kind, q, favourite, album }: GallerySearch) =>
  pagesOf(routes.list, {
    query: {
      limit: 60,
      ...(kind ? { kind } : {}),
      ...(q ? { q } : {}),
      ...(favourite ? { favourite: 'true' as const } : {}),
      ...(album ? { albumId: album, sort: 'album' as const } : {}),
    },
  })

export const albumsQuery = queryOf(routes.albums)
