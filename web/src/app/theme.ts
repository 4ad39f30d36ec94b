/** Puts the chosen look on the page, and keeps a copy for the next start (`public/early.js` reads it). */
import type { Preferences } from '@atrium/contract/settings'
import { useEffect } from 'react'
import { toast } from '../ui/toaster.tsx'
import { translate } from '../lib/texts.ts'
import { useMedia } from '../lib/media.ts'
import { chosenLanguage, showLanguage } from './language.ts'

/** Follows the preferences, and the system where they say so. */
export function useTheme(preferences: Preferences): void {
  const systemDark = useMedia('(prefers-color-scheme: dark)')
  const systemContrast = useMedia('(prefers-contrast: more)')
  const { theme, density, textSize, textWidth, motion, language } = preferences

  // High contrast is black on white unless the system is dark.
  const contrast = systemDark ? 'contrast' : 'contrast-light'

  useEffect(() => {
    const system = systemContrast ? contrast : systemDark ? 'dark' : 'light'
    const set = document.documentElement.dataset
    set.theme = theme.mode === 'system' ? system : theme.mode === 'contrast' ? contrast : theme.mode
    set.accent = theme.accent
    set.density = density
    set.text = textSize
    set.width = textWidth
    set.motion = motion
    keep({ mode: theme.mode, accent: theme.accent, density, textSize, textWidth, motion, language })
    paintBrowserBar()
  }, [theme.mode, theme.accent, density, textSize, textWidth, motion, language, systemDark, systemContrast, contrast])

  useEffect(() => {
    showLanguage(chosenLanguage(language)).catch(() => toast(translate('app:languageFailed'), { tone: 'danger' }))
  }, [language])
}

function keep(look: Record<string, string>) {
  try {
    localStorage.setItem('atrium.look', JSON.stringify(look))
  } catch {
    // Storage is full or switched off: the next start flickers once, nothing else.
  }
}

function paintBrowserBar() {
  const colour = getComputedStyle(document.body).backgroundColor
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour)
}
