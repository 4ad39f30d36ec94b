// Runs before the first paint: puts the last known look (src/app/look.ts keeps it) on the page, so that nothing flickers,
// and begins what every page needs, beside the app instead of after it.
;(() => {
  const root = document.documentElement
  let look = {}
  try {
    look = JSON.parse(localStorage.getItem('atrium.look') || '{}')
  } catch {
    // Storage is switched off or holds nonsense: the defaults of the style sheet stand.
  }
  const systemDark = matchMedia('(prefers-color-scheme: dark)').matches
  const dark = look.mode === 'dark' || ((look.mode || 'system') === 'system' && systemDark)
  const contrast = look.mode === 'contrast' || ((look.mode || 'system') === 'system' && matchMedia('(prefers-contrast: more)').matches)
  root.dataset.theme = contrast ? (systemDark ? 'contrast' : 'contrast-light') : dark ? 'dark' : 'light'
  if (look.accent) root.dataset.accent = look.accent
  if (look.density) root.dataset.density = look.density
  if (look.textSize) root.dataset.text = look.textSize
  if (look.textWidth) root.dataset.width = look.textWidth
  if (look.motion) root.dataset.motion = look.motion
  const language = look.language && look.language !== 'system' ? look.language : navigator.language || ''
  // `en:ltr ar:rtl`, from the table of languages in the contract.
  const { languages, parts, chatParts } = document.currentScript.dataset
  for (const entry of languages.split(' ')) {
    const [code, direction] = entry.split(':')
    if (language.toLowerCase().split('-')[0] !== code) continue
    root.lang = code
    root.dir = direction
  }

  // Who is asking; src/api/early.ts takes the answers.
  globalThis.earlyAnswers = new Map(
    ['/api/auth/me', '/api/preferences'].map((path) => {
      const answer = fetch(path, { credentials: 'same-origin', redirect: 'error' })
      // It is told by whoever takes it.
      answer.catch(() => undefined)
      return [path, answer]
    }),
  )

  const inChat = location.pathname.startsWith('/chats/')
  const wanted = inChat ? `${parts} ${chatParts}` : location.pathname === '/' ? parts : ''
  // Without a build (`npm run dev`) there are none.
  for (const href of parts && wanted ? wanted.split(' ') : []) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href })
    document.head.append(link)
  }
})()
