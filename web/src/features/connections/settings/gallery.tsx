import type { Capability, Plugin } from '@atrium/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, ChevronDown, Search } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { links } from '../../../lib/links.ts'
import { matchesQuery } from '../../../lib/match.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { MakerMark } from '../../../blocks/maker-mark/maker-mark.tsx'
import { makerOfProvider } from '../../../blocks/maker-mark/makers.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { CapabilityIcon } from './badges.tsx'
import { KeyLink, CatalogueCheckResult, SetUp } from './set-up.tsx'
import { keyNeed, type CatalogueCheck, pluginsQuery } from './state.ts'
import { useText } from 'virtual:words/connections'

type Place = 'all' | 'cloud' | 'local'

/** Those that most people look for; they stand first, and alone until the others are asked for. */
const first = ['openai', 'anthropic', 'gemini', 'mistral', 'openrouter', 'groq', 'deepseek', 'xai']
const rank = ({ id }: Plugin): number => (first.includes(id) ? first.indexOf(id) : first.length)

/** Every provider that Atrium knows: what it is, whether it wants a key, and the way to use it. */
export function Gallery() {
  const plugins = useQuery(pluginsQuery)
  return <QueryView query={plugins}>{({ items }) => <Known plugins={items} />}</QueryView>
}

function Known({ plugins }: { plugins: readonly Plugin[] }) {
  const t = useText('connections')
  const [words, setWords] = useState('')
  const [place, setPlace] = useState<Place>('all')
  const [open, setOpen] = useState<string | null>(null)
  const [all, setAll] = useState(false)
  const bundled = plugins.filter((plugin) => plugin.source !== 'installed')
  const found = bundled
    .filter((plugin) => place === 'all' || plugin.local === (place === 'local'))
    .filter((plugin) => matchesQuery(words, plugin.name, plugin.id, plugin.description, plugin.endpoint))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
  const folded = !all && !words.trim() && place === 'all' && found.length > first.length
  const shown = folded ? found.slice(0, first.length) : found
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Input
          type="search"
          icon={<Search />}
          aria-label={t('gallery.search')}
          placeholder={t('gallery.search')}
          value={words}
          className="min-w-48 flex-1"
          onChange={(event) => setWords(event.target.value)}
        />
        <SegmentedControl<Place>
          label={t('gallery.place')}
          value={place}
          onChange={setPlace}
          options={[
            { value: 'all', label: t('gallery.all') },
            { value: 'cloud', label: t('gallery.cloud') },
            { value: 'local', label: t('gallery.local') },
          ]}
        />
      </div>
      <p role="status" className="mt-2 text-sm text-muted">
        {found.length === 0 ? t('gallery.nothing') : t('gallery.count', { count: found.length })}
      </p>
      <ul className="mt-1 divide-y divide-line border-y border-line">
        {shown.map((plugin) => (
          <Provider
            key={plugin.id}
            plugin={plugin}
            open={open === plugin.id}
            onOpen={(on) => setOpen(on ? plugin.id : null)}
          />
        ))}
      </ul>
      {folded && (
        <Button size="small" className="mt-3" onClick={() => setAll(true)}>
          {t('gallery.showAll', { count: found.length })}
        </Button>
      )}
    </>
  )
}

function Provider({ plugin, open, onOpen }: { plugin: Plugin; open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText('connections')
  const [check, setCheck] = useState<CatalogueCheck | null>(null)
  const need = keyNeed(plugin)
  return (
    <li className="py-2.5" aria-label={plugin.name}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <MakerMark
          maker={makerOfProvider({ providerType: 'plugin', providerId: plugin.id }, plugin.name)}
          className="mt-0.5 size-8"
        />
        <div className="min-w-52 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link to={links.connection(plugin.id)} className="font-medium hover:underline">
              <bdi>{plugin.name}</bdi>
            </Link>
            <Badge>{plugin.signIn ? t('gallery.signIn') : t(`gallery.key.${need}`)}</Badge>
            {kindsOf(plugin).map((kind) => (
              <CapabilityIcon key={kind} kind={kind} />
            ))}
          </p>
          <p className="mt-0.5 text-sm text-muted">
            <bdi>{plugin.description}</bdi> {need !== 'none' && !open && <KeyLink plugin={plugin} />}
          </p>
        </div>
        {plugin.active ? (
          <span className="flex items-center gap-2">
            <span className="inline-flex items-center gap-1 text-sm text-ok-ink">
              <Check aria-hidden className="size-4" />
              {t('gallery.inUse')}
            </span>
            <Button asChild size="small">
              <Link to={links.connection(plugin.id)} aria-label={t('editNamed', { name: plugin.name })}>
                {t('edit')}
              </Link>
            </Button>
          </span>
        ) : (
          <Button
            size="small"
            aria-expanded={open}
            aria-label={t('gallery.setUpNamed', { name: plugin.name })}
            onClick={() => onOpen(!open)}
          >
            {t('gallery.setUp')}
            <ChevronDown aria-hidden className={classNames('size-3.5', open && 'rotate-180')} />
          </Button>
        )}
      </div>
      {open && !plugin.active && (
        <div className="mt-3 rounded-lg border border-line bg-canvas/60 p-3.5">
          <SetUp
            plugin={plugin}
            onCancel={() => onOpen(false)}
            onDone={(answer) => {
              setCheck(answer)
              onOpen(false)
            }}
          />
        </div>
      )}
      {check && plugin.active && (
        <div className="mt-2">
          <CatalogueCheckResult check={check} onCheck={setCheck} />
        </div>
      )}
    </li>
  )
}

/** What a provider is for beside chat, or instead of it. */
function kindsOf({ type, capabilities = {} }: Plugin): Capability[] {
  const own = type === 'completion' || type === 'chat' ? [] : [type]
  const beside = (Object.keys(capabilities) as (keyof typeof capabilities)[]).filter((kind) => kind !== 'completion')
  return [...new Set([...own, ...(beside as Capability[])])]
}
