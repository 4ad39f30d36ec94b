import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { contractLiterals } from './contract-plugin.ts'
import { firstParts } from './first-parts-plugin.ts'
import { withoutIconKeys } from './icon-keys-plugin.ts'
import { languageTable } from './languages-plugin.ts'
import { manifest } from './manifest.ts'
import { pdfFiles } from './pdf-files.ts'
import { previewRuntime } from './preview-runtime-plugin.ts'
import { sharedChunkOf } from './shared-chunks.ts'
import { words, wordsChunkOf } from './words-plugin.ts'

const server = process.env.ATRIUM_SERVER ?? 'http://127.0.0.1:3001'

const proxy = { '/api': server, '/health': server, '/ws': { target: server, ws: true } }

/** What `index.html` names. */
const always = /^assets\/(?:part\/(?:rolldown-runtime|vendor)-|app\/index-|index-[\w-]+\.css$)/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    contractLiterals(),
    words(),
    languageTable(),
    firstParts(),
    withoutIconKeys(),
    react(),
    tailwind(),
    pdfFiles(),
    previewRuntime(),
    VitePWA({
      manifest,
      registerType: 'prompt',
      injectRegister: false,
      workbox: {
        // The shell and what every page needs; heavy parts (diagrams, grammars) are kept once they were used.
        globPatterns: [
          '{index.html,early.js,icon.svg}',
          'assets/*.css',
          'assets/app/*.js',
          'assets/part/{vendor,rolldown-runtime,dist,esm}-*.js',
          'assets/*-{latin,arabic}-wght-normal-*.woff2',
        ],
        globIgnores: ['**/*-engine-*'],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/(api|v1|health|metrics)(\/|$)/],
        cleanupOutdatedCaches: true,
        importScripts: ['/push-worker.js', '/share-worker.js'],
        runtimeCaching: [
          {
            urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
            handler: 'CacheFirst',
            options: { cacheName: 'assets', expiration: { maxEntries: 400, maxAgeSeconds: 30 * 86_400 } },
          },
        ],
      },
    }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // A data address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A lazy part need not list what every page has by then: those lists are a good part of the first script.
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((file) => !always.test(file)),
    },
    chunkSizeWarningLimit: 1600,
    rolldownOptions: {
      output: {
        // Our own parts are kept for use without a network; those of libraries (diagrams, grammars) once they were used.
        chunkFileNames: ({ moduleIds }) =>
          `assets/${moduleIds.some((id) => id.includes('/web/src/')) ? 'app' : 'part'}/[name]-[hash].js`,
        entryFileNames: 'assets/app/[name]-[hash].js',
        // Few requests for the first page: what every page needs lies in two files, each lazy part in its own.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
            { name: 'base', tags: ['$initial'] },
            { name: wordsChunkOf, debugName: 'words' },
            { name: sharedChunkOf, debugName: 'shared', includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, proxy },
  preview: { port: 4173, strictPort: true, proxy },
})
