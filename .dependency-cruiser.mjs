/** The floors of the code (see ARCHITECTURE.md), held by a machine. */
const inside = '^(contract|server|web)/src/'
/** Tests, and what an area gives to the tests over all areas. */
const tests = '(\\.test|/fixture)\\.ts$'
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

export default {
  forbidden: [
    rule(
      'no-cycles',
      'Two files that need each other are one file, or miss a third.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    rule(
      'contract-stands-alone',
      'The contract imports zod and itself.',
      { path: '^contract/src/', pathNot: '\\.test\\.ts$' },
      { pathNot: ['^contract/src/', 'node_modules/zod/'] },
    ),
    rule(
      'platform-is-the-ground',
      'The platform leans on the contract and on packages only.',
      { path: '^server/src/platform/', pathNot: '\\.test\\.ts$' },
      { path: inside, pathNot: ['^server/src/platform/', '^contract/src/'] },
    ),
    rule(
      'providers-lean-on-the-platform',
      'Providers lean on the platform and the contract only.',
      { path: '^server/src/providers/', pathNot: '\\.test\\.ts$' },
      { path: inside, pathNot: ['^server/src/(providers|platform)/', '^contract/src/'] },
    ),
    rule(
      'core-stays-below-features',
      'A core area knows no feature and not the app.',
      { path: '^server/src/core/', pathNot: tests },
      { path: '^server/src/(features|app|testing)/' },
    ),
    rule(
      'core-by-the-front-door',
      'Another core area is entered through its index.ts.',
      { path: '^server/src/core/([^/]+)/', pathNot: '\\.test\\.ts$' },
      { path: '^server/src/core/', pathNot: ['^server/src/core/$1/', '^server/src/core/[^/]+/index\\.ts$'] },
    ),
    rule(
      'features-are-strangers',
      'No feature imports another.',
      { path: '^server/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      { path: '^server/src/features/', pathNot: '^server/src/features/$1/' },
    ),
    rule(
      'features-use-the-front-door',
      'A feature enters core areas through their index.ts, and never the app.',
      { path: '^server/src/features/', pathNot: tests },
      { path: ['^server/src/core/', '^server/src/(app|testing)/'], pathNot: '^server/src/core/[^/]+/index\\.ts$' },
    ),
    rule(
      'testing-is-for-tests',
      'Nothing that ships imports what tests use.',
      { path: '^server/src/', pathNot: [tests, '^server/src/testing/'] },
      { path: ['^server/src/testing/', '^e2e/', '^server/src/(core|features)/[^/]+/fixture\\.ts$'] },
    ),
    rule(
      'web-knows-no-server',
      'The browser never sees server code.',
      { path: '^web/' },
      { path: ['^server/', '^e2e/'] },
    ),
    rule('server-knows-no-web', 'The server never imports the web app.', { path: '^server/' }, { path: '^web/' }),
    rule(
      'ui-has-no-data',
      'The component set has no data and no router.',
      { path: '^web/src/ui/' },
      { path: ['^web/src/(app|features|blocks|api)/', '^contract/', 'node_modules/@tanstack/react-(router|query)/'] },
    ),
    rule(
      'lib-has-no-data',
      'The small pure helpers may know the types of others, no more.',
      { path: '^web/src/lib/' },
      {
        path: ['^web/src/(app|features|blocks|api|ui)/', '^contract/', 'node_modules/@tanstack/react-(router|query)/'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'api-leans-on-lib',
      'The client leans on the contract and lib only.',
      { path: '^web/src/api/' },
      { path: '^web/src/(app|features|blocks|ui)/' },
    ),
    rule(
      'blocks-know-no-feature',
      'Blocks know neither features nor the app.',
      { path: '^web/src/blocks/' },
      { path: '^web/src/(app|features)/' },
    ),
    rule(
      'web-features-are-strangers',
      'No feature of the web app imports another, or the app.',
      { path: '^web/src/features/([^/]+)/' },
      { path: ['^web/src/features/', '^web/src/app/'], pathNot: '^web/src/features/$1/' },
    ),
    rule(
      'no-unknown',
      'Every import can be resolved.',
      { pathNot: 'virtual:' },
      { couldNotResolve: true, pathNot: '^virtual:' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.css$' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
