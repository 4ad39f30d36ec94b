import type { Folder, Project } from '@atrium/contract/chat'
import { ModelField } from '../../../blocks/model-picker/model-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Collections } from '../knowledge/collections.tsx'
import { possibleParents, projectOptions } from '../list/tree.ts'
import { useText } from 'virtual:words/chat-project'
import { Card } from './card.tsx'
import { changeProject } from './data.ts'

/** The model of new chats, the collections that all of them look in, and where the project lies. */
export function Settings({ project, projects }: { project: Project; projects: readonly Folder[] }) {
  const t = useText('chat-project')
  const { selection, collectionIds } = project.settings
  const set = (settings: Parameters<typeof changeProject>[1]['settings']) =>
    void changeProject(project.id, { settings })
  return (
    <Card title={t('settings.title')}>
      <div className="flex flex-col gap-4">
        <ModelField
          label={t('settings.model')}
          none={t('settings.noModel')}
          reset={t('settings.resetModel')}
          selection={selection}
          onChange={(picked) => set({ selection: picked })}
        />
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
              options={projectOptions(possibleParents(projects, project.id), t('settings.top'))}
            />
          </Field>
        )}
      </div>
    </Card>
  )
}
