import { type Automation, automationsRoutes } from '@atrium/contract/automations'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Pause, Play, Trash2, Zap } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/automations'
import { setPaused } from '../changes.ts'
import { type TemplateName, contentOf, draftOf, templateNames } from '../drafts.ts'
import { ownZone } from '../own-time.ts'
import { RemoveDialog } from '../remove-dialog.tsx'
import { RunList } from '../runs/list.tsx'
import { AutomationForm } from './form.tsx'
import { RunDialog } from './run-dialog.tsx'
import { WebhookCard } from './webhook-card.tsx'

/** `/automations/new` and `/automations/{id}`: what it does, its webhook and its runs. */
export function AutomationPage() {
  const { automationId = 'new' } = useParams({ strict: false })
  return automationId === 'new' ? <NewAutomation /> : <Existing key={automationId} id={automationId} />
}

function NewAutomation() {
  const t = useText('automations')
  const navigate = useNavigate()
  useTitle(t('new'))
  const { template: named } = useSearch({ strict: false }) as { template?: string }
  const template = templateNames.find((name) => name === named) ?? null
  return (
    <Frame title={t('new')}>
      <AutomationForm
        key={template}
        id={null}
        initial={draftOf(template, ownZone(), wordsOfTemplate(template, t))}
        onSaved={(automation) => void navigate({ to: links.automation(automation.id), replace: true })}
      />
    </Frame>
  )
}

const wordsOfTemplate = (template: TemplateName | null, t: (key: string) => string) =>
  template === null
    ? { name: '', instructions: '' }
    : { name: t(`template.${template}.name`), instructions: t(`template.${template}.instructions`) }

function Existing({ id }: { id: string }) {
  const t = useText('automations')
  const query = useQuery(queryOf(automationsRoutes.read, { params: { automationId: id } }))
  useTitle(query.data?.name ?? t('title'))
  if (query.data) return <Shown automation={query.data} />
  return (
    <Frame title={t('title')}>
      <QueryView query={query} title={t('notLoaded')} lines={6} />
    </Frame>
  )
}

function Shown({ automation }: { automation: Automation }) {
  const t = useText('automations')
  const navigate = useNavigate()
  const [removing, setRemoving] = useState(false)
  const [running, setRunning] = useState(false)
  // What is typed is not replaced by what another page saves.
  const initial = useRef(contentOf(automation)).current
  const { name, status, pausedByFailures, nextRunAt } = automation
  const isPaused = status === 'paused'
  return (
    <Frame
      title={name}
      actions={
        <>
          <Button size="small" icon={<Zap className="size-4" />} onClick={() => setRunning(true)}>
            {t('run')}
          </Button>
          <Button
            size="small"
            icon={isPaused ? <Play className="size-4" /> : <Pause className="size-4" />}
            onClick={() => void setPaused(automation, !isPaused)}
          >
            {t(isPaused ? 'resume' : 'pause')}
          </Button>
          <IconButton label={t('delete')} icon={<Trash2 />} onClick={() => setRemoving(true)} />
        </>
      }
    >
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {isPaused && <Badge tone="warn">{t(pausedByFailures ? 'pausedByFailures' : 'paused')}</Badge>}
        {pausedByFailures && t('pausedByFailuresText')}
        {nextRunAt && t('next', { time: formatDateTime(nextRunAt) })}
        {!isPaused &&
          !nextRunAt &&
          t(automation.triggers.some(({ kind }) => kind === 'event') ? 'waitsForEvent' : 'noNext')}
      </p>
      <AutomationForm id={automation.id} initial={initial} onSaved={() => undefined} />
      <WebhookCard automation={automation} />
      <Section title={t('tab.runs')}>
        <RunList automationId={automation.id} />
      </Section>
      {running && <RunDialog automation={automation} onClose={() => setRunning(false)} />}
      {removing && (
        <RemoveDialog
          automation={automation}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate({ to: links.automations() })}
        />
      )}
    </Frame>
  )
}

function Frame({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const t = useText('automations')
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header className="flex flex-wrap items-center gap-2">
          <Link
            to={links.automations()}
            aria-label={t('back')}
            className="hit inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <ArrowLeft aria-hidden className="size-4" />
          </Link>
          <h1 dir="auto" className="min-w-40 flex-1 truncate text-xl font-semibold tracking-tight">
            {title}
          </h1>
          {actions && <div className="flex items-center gap-2 max-tab:basis-full">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}
