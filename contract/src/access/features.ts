/** What of the instance is for everybody, for administrators or for the members of groups, and what an account may use. */
import { z } from 'zod'
import { AccessMode, GroupIds, Id, ReadSource } from '../common.ts'
import { routes } from '../route.ts'

/** In the order in which they are shown. */
export const featureNames = [
  'tools',
  'web-search',
  'code-interpreter',
  'personal-tool-servers',
  'agents',
  'voice-input',
  'voice-output',
  'voice-mode',
  'model-downloads',
  'chat-links',
  'artifact-links',
] as const
export const FeatureName = z.enum(featureNames)
export type FeatureName = z.infer<typeof FeatureName>

/** Who may use a feature. Administrators may use whatever is not off. */
export const FeatureRule = z.strictObject({
  name: FeatureName,
  mode: AccessMode,
  /** Whose members may where the mode is groups; a group that is gone is left out. */
  groupIds: GroupIds,
  /** The modes that can be chosen; none where the environment fixes the mode. */
  modes: z.array(AccessMode),
  source: ReadSource,
  /** The environment variable that fixes something of it. */
  variable: z.string().nullable(),
  /** Whether it is set up; until then nobody has it. */
  available: z.boolean(),
})
export type FeatureRule = z.infer<typeof FeatureRule>

/** Why an account may use a feature, or may not. */
export const FeatureReason = z.enum([
  // It may.
  'administrator',
  'everyone',
  'group',
  // It may not.
  'inactive-account',
  'unavailable',
  'off',
  'administrators-only',
  'no-group',
  'needs-other',
])
export type FeatureReason = z.infer<typeof FeatureReason>

export const FeatureDecision = z.strictObject({
  name: FeatureName,
  allowed: z.boolean(),
  reason: FeatureReason,
  /** The groups by which it may. */
  groups: z.array(z.strictObject({ id: Id, name: z.string() })),
  /** The features without which it may not. */
  needs: z.array(FeatureName),
})
export type FeatureDecision = z.infer<typeof FeatureDecision>

export const featureRoutes = routes({
  features: {
    method: 'get',
    path: '/api/access/features',
    access: 'admin',
    summary: 'List the features of this server, with who can use each',
    returns: z.strictObject({ items: z.array(FeatureRule), nextCursor: z.null() }),
  },
  updateFeature: {
    method: 'put',
    path: '/api/access/features/{feature}',
    access: 'admin',
    names: 'instance',
    audit: 'feature.update',
    proof: true,
    summary:
      'Set who can use a feature: nobody, administrators, the members of groups, or everyone. Takes effect at once',
    params: z.strictObject({ feature: FeatureName }),
    body: z.strictObject({
      mode: AccessMode,
      /** The groups it is for; left out: those that were chosen before. */
      groupIds: GroupIds.optional(),
      /** What this is based on: where something else is set by now, it is refused with `conflict`, and with that. */
      before: z.strictObject({ mode: AccessMode, groupIds: GroupIds }).optional(),
    }),
    returns: FeatureRule,
    errors: ['setting_locked', 'group_not_found', 'conflict'],
  },
})
