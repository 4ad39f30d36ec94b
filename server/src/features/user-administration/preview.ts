/** What an account can use, by the same decisions that hold when it asks itself. */
import type { previewRoutes } from '@atrium/contract/user-administration'
import type { Handlers } from '../../platform/http/area.ts'
import type { UserAdministrationContext } from './context.ts'

export const previewHandlers = ({
  accounts,
  ownBudgets,
  features,
  listModels,
  storageQuota,
  storedBy,
}: UserAdministrationContext): Handlers<typeof previewRoutes> => ({
  async preview({ params: { id } }) {
    const { status } = await accounts.administration.find(id)
    const [decisions, models, { currency, items }, stored, quotaBytes] = await Promise.all([
      features.decideAll(id),
      status === 'active' ? listModels(id, { discovers: false }) : { items: [], providers: [], fallback: null },
      ownBudgets(id),
      storedBy([id]),
      storageQuota(),
    ])
    const modelsOf = Map.groupBy(models.items, ({ selection }) => keyOf(selection))
    // What they used last is theirs alone to know.
    const isChosen = ['own-default', 'instance-default'].includes(models.fallback?.because ?? '')
    const first = isChosen ? models.fallback?.selection : undefined
    const shown = first && modelsOf.get(keyOf(first))?.find(({ selection }) => selection.model === first.model)
    return {
      features: decisions,
      connections: models.providers.map(({ providerType, providerId, name }) => ({
        id: providerId,
        type: providerType,
        name,
        models: (modelsOf.get(keyOf({ providerType, providerId })) ?? []).map(({ selection, name: shownName }) => ({
          model: selection.model,
          name: shownName,
        })),
      })),
      firstModel: shown?.name ?? null,
      currency,
      budgets: items,
      storage: { usedBytes: stored.get(id) ?? 0, quotaBytes },
    }
  },
})

const keyOf = ({ providerType, providerId }: { providerType: string; providerId: string | null }): string =>
  `${providerType} ${providerId ?? ''}`
