import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import classifying, { prose } from './stryker.config.mjs';

export const strykerPlugins = [
  // Here such properties are often computed: only their words are left alone, not what chooses among them.
  declareValuePlugin(PluginKind.Ignore, 'wording', {
    shouldIgnore(path) {
      if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
      const owner = path.findParent((parent) => parent.isObjectProperty() || parent.isFunction());
      const isText =
        owner?.isObjectProperty() && owner.node.key.type === 'Identifier' && prose.has(owner.node.key.name);
      return isText ? 'wording' : undefined;
    },
  }),
];

/**
 * Mutation testing of what generates and renders: the values, and the reports. All else as in the other. The HTML report
 * is measured on request (`npm run mutation:rendering -- --mutate 'src/report/html/*.tsx'`): its tests render whole pages.
 */
export default {
  ...classifying,
  vitest: { configFile: '.ci/vitest.rendering.config.ts' },
  mutate: ['src/generate/**/*.ts', 'src/report/*.ts', '!src/**/literal/**', '!**/*.test.ts'],
  plugins: ['@stryker-mutator/vitest-runner', './.ci/stryker.rendering.config.mjs'],
  ignorers: ['wording'],
  jsonReporter: { fileName: 'reports/mutation/rendering.json' },
};
