/// <reference types="vite/client" />
import './styles/main.css'
import { createRoot } from 'react-dom/client'
import { meQuery, preferencesQuery } from './api/account.ts'
import { queryClient } from './api/query.ts'
import { App } from './app/app.tsx'
import { followBranding } from './app/branding.ts'
import { preloadPage } from './app/router.tsx'
import { afterFirstView } from './lib/first-view.ts'
import { loadLayersWhenIdle } from './ui/idle-parts.ts'
import { firstLanguage, showLanguage } from './app/language.ts'

// Both are needed by nearly every page; asking now saves a round trip.
void queryClient.prefetchQuery({ ...meQuery, retry: false })
void queryClient.prefetchQuery({ ...preferencesQuery, retry: false })
preloadPage()

// No await here: with one in a module the bundler joins no small files.
void showLanguage(firstLanguage()).then(() => {
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<App />)
  afterFirstView(loadLayersWhenIdle)
  followBranding()
})
