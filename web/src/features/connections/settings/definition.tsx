import { connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, FileUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { saveFile } from '../../../blocks/save-file.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { DeleteDialog } from './delete.tsx'
import { ImportDefinition } from './import.tsx'
import { useText } from 'virtual:words/connections'

/** What administrators do with a definition itself: save it as a file, give it a new version, delete it. */
export function DefinitionTools({ plugin }: { plugin: Plugin }) {
  const t = useText('connections')
  const navigate = useNavigate()
  const [updating, setUpdating] = useState(false)
  const [asking, setAsking] = useState(false)
  const exported = useMutation({
    mutationFn: () => call(connectionsRoutes.exportPlugin, { params: { id: plugin.id } }),
    onSuccess: async (file) => saveFile(`${plugin.id}.json`, await file.text(), 'application/json'),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const bundled = plugin.source === 'bundled'
  return (
    <div className="mt-3 flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button icon={<Download className="size-4" />} busy={exported.isPending} onClick={() => exported.mutate()}>
          {t('definition.export')}
        </Button>
        <Button icon={<FileUp className="size-4" />} aria-expanded={updating} onClick={() => setUpdating(!updating)}>
          {bundled ? t('definition.replace') : t('definition.update')}
        </Button>
        {!bundled && (
          <Button
            icon={<Trash2 className="size-4 text-danger-ink" />}
            className="text-danger-ink"
            onClick={() => setAsking(true)}
          >
            {t('definition.delete')}
          </Button>
        )}
      </div>
      {updating && (
        <div className="rounded-xl border border-line bg-canvas/60 p-4">
          <ImportDefinition
            only={plugin.id}
            fresh={bundled}
            onCancel={() => setUpdating(false)}
            onDone={(next) => {
              setUpdating(false)
              toast(t('definition.updated', { name: next.name }))
            }}
          />
        </div>
      )}
      <DeleteDialog
        connection={plugin}
        open={asking}
        onOpenChange={setAsking}
        onDeleted={() => {
          // What stands in its place again has the same address.
          if (plugin.source === 'installed') void navigate({ to: links.settings('connections') })
        }}
      />
    </div>
  )
}
