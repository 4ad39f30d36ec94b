import { type MouseEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useText } from 'virtual:words/markdown'
import { linkKind } from './addresses.ts'

/** A link in an answer. The first way out to a site is asked for, with the whole address in sight. */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  const t = useText('markdown')
  const [asking, setAsking] = useState(false)
  const target = linkKind(href, location.origin)
  if (!target) return <span>{children}</span>
  const site = target.kind === 'site' ? target.site : null
  function ask(event: MouseEvent) {
    if (!site || isTrusted(site)) return
    event.preventDefault()
    setAsking(true)
  }
  function go() {
    if (site) trust(site)
    setAsking(false)
    window.open(target?.url, '_blank', 'noopener,noreferrer')
  }
  return (
    <>
      <a href={target.url} target="_blank" rel="noopener noreferrer" onClick={ask} onAuxClick={ask}>
        {children}
      </a>
      {asking && (
        <Dialog
          open
          onOpenChange={setAsking}
          width="narrow"
          title={t('link.title', { site })}
          description={t('link.note')}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{t('link.stay')}</Button>
              <Button tone="primary" onClick={go}>
                {t('link.open')}
              </Button>
            </>
          }
        >
          <p dir="ltr" className="rounded-md bg-sunken p-2 font-mono text-sm break-all">
            {target.url}
          </p>
        </Dialog>
      )}
    </>
  )
}

const place = 'atrium.trusted-sites'

function isTrusted(site: string): boolean {
  return trusted().includes(site)
}
function trust(site: string) {
  localStorage.setItem(place, JSON.stringify([...new Set([...trusted(), site])].slice(-200)))
}
function trusted(): string[] {
  try {
    const sites: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(sites) ? sites.filter((site) => typeof site === 'string') : []
  } catch {
    // Written by something else: as good as empty.
    return []
  }
}
