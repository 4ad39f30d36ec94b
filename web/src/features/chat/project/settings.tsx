import type { Folder, Project } from '@atrium/contract/chat'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { ModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import { modelName, useModels } from '../../../blocks/models.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { Collections } from '../knowledge/collections.tsx'
import { projectTree } from '../list/tree.ts'
import { useText } from 'virtual:words/chat-project'
import { Card } from './card.tsx'
import { changeProject } from './data.ts'

/** The model of new chats, the collections that all of them look in, and where the project lies. */
export function Settings({ project, projects }: { project: Project; projects: readonly Folder[] }) {
  const t = useText('chat-project')
  const models = useModels()
  const [picking, setPicking] = useState(false)
  const { selection, collectionIds } = project.settings
  const set = (settings: Parameters<typeof changeProject>[1]['settings']) =>
    void changeProject(project.id, { settings })
  const name = selection ? modelName(models, selection) || selection.model : t('settings.noModel')
  return (
    <Card title={t('settings.title')}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <p id="project-model" className="text-sm font-medium">
            {t('settings.model')}
          </p>
          <div className="flex items-center gap-1">
            <Button
              aria-describedby="project-model"
              aria-haspopup="dialog"
              className="min-w-0 flex-1 justify-start!"
              onClick={() => setPicking(true)}
            >
              <bdi className="truncate">{name}</bdi>
            </Button>
            {selection && (
              <IconButton
                label={t('settings.resetModel')}
                icon={<RotateCcw />}
                onClick={() => set({ selection: null })}
              />
            )}
          </div>
        </div>
        <Collections
          chosen={collectionIds}
          without={project.filesCollectionId}
          hint={t('settings.collectionsHint')}
          onChange={(ids) => set({ collectionIds: ids })}
        />
        {projects.length > 1 && (
          <Field label={t('settings.parent')}>
            <Select
              className="w-full"
              value={project.parentId ?? ''}
              onChange={(id) => void changeProject(project.id, { parentId: id || null })}
              options={[
                { value: '', label: t('settings.top') },
                ...projectTree(projects.filter(({ id }) => !isWithin(projects, id, project.id))).map(
                  ({ folder, depth }) => ({ value: folder.id, label: `${'\u2003'.repeat(depth)}${folder.name}` }),
                ),
              ]}
            />
          </Field>
        )}
      </div>
      <ModelPicker
        open={picking}
        onOpenChange={setPicking}
        value={selection}
        onPick={(picked) => set({ selection: picked })}
      />
    </Card>
  )
}

/** Whether a project is another one or lies in it. */
function isWithin(projects: readonly Folder[], id: string, outer: string): boolean {
  for (let at: string | null = id, left = projects.length; at !== null && left >= 0; left--) {
    if (at === outer) return true
    at = projects.find((project) => project.id === at)?.parentId ?? null
  }
  return false
}
