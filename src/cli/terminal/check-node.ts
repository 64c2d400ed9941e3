import { nodeProblem } from './node-version.ts';

// Imported before anything else: an old Node would fail somewhere later, with a stack trace.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`assay: ${problem}\n`);
  process.exit(2);
}
