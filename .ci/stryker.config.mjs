import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What people read: other words would be as true, so no test can distinguish them. */
export const prose = new Set([
  'text',
  'source',
  'test',
  'violation',
  'fix',
  'expected',
  'actual',
  'because',
  'need',
  'describes',
  'why',
  'quote',
  'title',
  'readings',
  'always',
  'byDefault',
  'description',
]);

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'prose', {
    shouldIgnore(path) {
      const isText =
        path.isObjectProperty() && path.node.key.type === 'Identifier' && prose.has(path.node.key.name);
      return isText ? 'prose' : undefined;
    },
  }),
];

/** Mutation testing of what classifies: the judge, the oracle and the clauses. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: '.ci/vitest.mutation.config.ts' },
  mutate: [
    'src/judge.ts',
    'src/run-verdict.ts',
    'src/oracle/**/*.ts',
    'src/clauses/**/*.ts',
    '!src/clauses/cases/**',
    '!src/clauses/specification.ts',
    '!**/*.test.ts',
  ],
  plugins: ['@stryker-mutator/vitest-runner', './.ci/stryker.config.mjs'],
  ignorers: ['prose'],
  coverageAnalysis: 'perTest',
  // TypeScript 7 has no compiler API for it to rewrite the configuration with; nothing in ours needs rewriting.
  tsconfigFile: 'none',
  // What runs when a module is loaded (levels, texts, lists) costs a run of all tests for each mutant: tables of
  // src/clauses/catalogue.test.ts hold it instead.
  ignoreStatic: true,
  reporters: ['clear-text', 'json', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  tempDirName: '.stryker-tmp',
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 85, break: 85 },
};
