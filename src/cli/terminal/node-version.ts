/** The oldest Node that runs the harness, as in package.json. */
export const leastNode = '20.19';

/** Why this version of Node cannot run the harness, in one line; undefined where it can. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = leastNode.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `Node ${version} is too old; install Node ${leastNode} or later (https://nodejs.org)`;
}
