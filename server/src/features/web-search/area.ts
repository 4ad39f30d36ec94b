/** The area of web search, as `compose()` creates it. */
import { webSearchArea } from '@atrium/contract/web-search'
import type { Features } from '../../core/access/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createWebSearch, declareWebSearch, webSearchSettings } from './index.ts'

interface Needs {
  readonly access: { readonly features: Features }
  readonly settings: Settings
}

export const webSearch = defineArea(webSearchArea)<Needs>()({
  needs: ['access', 'settings'],
  settings: webSearchSettings,
  create(platform, { access: { features }, settings }, { search }) {
    const api = createWebSearch({
      ...platform,
      settings: search,
      allowAddress: settings.allowAddress,
      features,
    })
    features.register(declareWebSearch(search))
    return { ...api.area, api, tools: api.tools }
  },
})
