import type { ManifestOptions } from 'vite-plugin-pwa'

/** How the installed app names and shows itself. */
export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Atrium',
  short_name: 'Atrium',
  description: 'A self-hosted AI workspace',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f0f4f3',
  theme_color: '#f0f4f3',
  icons: [
    { src: '/icons/192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/512-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
  shortcuts: [
    { name: 'New chat', url: '/', icons: [{ src: '/icons/new-chat.svg', sizes: 'any', type: 'image/svg+xml' }] },
    { name: 'Search', url: '/search', icons: [{ src: '/icons/search.svg', sizes: 'any', type: 'image/svg+xml' }] },
    {
      name: 'Documents',
      url: '/documents',
      icons: [{ src: '/icons/documents.svg', sizes: 'any', type: 'image/svg+xml' }],
    },
  ],
  // Taken by the service worker: `public/share-worker.js`.
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
  },
}
