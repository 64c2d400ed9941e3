import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'assay-ci-files-'));

function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((done) => {
    execFile('bash', ['-c', script], { cwd, env: { ...process.env, ...env } }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out: `${out}${err}` }),
    );
  });
}

async function program(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o755);
}

test('the Action runs the version of the project with its inputs, and ends as that ends', async () => {
  const action = parse(await readFile('action.yml', 'utf8'));
  const step = action.runs.steps.find((one: { readonly id?: string }) => one.id === 'run');
  const project = await folder();
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await program(join(project, 'node_modules/.bin/assay'), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n');
  const inputs = {
    CONFIG: 'my config.yaml',
    BASE_URL: '',
    BUDGET: 'quick',
    FAIL_ON: 'new',
    AGAINST: 'reports/main',
    RUN_NAME: 'ci',
  };
  // Every input that the script reads has a default and comes through the environment, never into the script.
  expect(Object.keys(step.env).sort()).toEqual(Object.keys(inputs).sort());
  expect(step.run).not.toContain('${{');
  const { code, out } = await bash(step.run, project, inputs);
  expect(out.trim().split('\n')).toEqual(
    [
      ['run', '--config', 'my config.yaml', '--budget', 'quick', '--fail-on', 'new', '--run-name', 'ci'],
      ['--output', 'reports', '--against', 'reports/main'],
    ].flat(),
  );
  expect(code).toBe(3);
  for (const { value } of Object.values<{ readonly value: string }>(action.outputs))
    expect(value).toMatch(
      /^\$\{\{ steps\.run\.outputs\.(verdict|exit-code|gate|certifiable|violations|run) \}\}$/,
    );
});

test('the comment of a pull request is made once, and then kept up to date', async () => {
  const here = await folder();
  await writeFile(join(here, 'summary.md'), '## Assay: conformant\n');
  // Stands for `gh`: its list has the comment once there is one.
  await program(
    join(here, 'gh'),
    `#!/bin/sh
case "$*" in
  *--paginate*) [ ! -f "${here}/made" ] || echo 42 ;;
  *) echo "$*" | sed 's# body=@.*##' >> "${here}/calls"; touch "${here}/made"
     for word in "$@"; do case "$word" in body=@*) cat "\${word#body=@}" > "${here}/body" ;; esac; done ;;
esac
`,
  );
  const env = {
    PATH: `${here}:${process.env['PATH']}`,
    GITHUB_REPOSITORY: 'o/r',
    NUMBER: '7',
    SUMMARY: 'summary.md',
  };
  const script = resolve('docs/templates/sticky-comment.sh');
  expect(await bash(script, here, env)).toMatchObject({ code: 0 });
  expect(await bash(script, here, env)).toMatchObject({ code: 0 });
  expect((await readFile(join(here, 'calls'), 'utf8')).trim().split('\n')).toEqual([
    'api --silent --method POST repos/o/r/issues/7/comments --field',
    'api --silent --method PATCH repos/o/r/issues/comments/42 --field',
  ]);
  expect(await readFile(join(here, 'body'), 'utf8')).toMatch(/^<!-- assay: .* -->\n## Assay: conformant\n$/);
  expect(await bash(script, here, { ...env, SUMMARY: 'none.md' })).toMatchObject({
    code: 0,
    out: expect.stringContaining('the pull request gets no comment'),
  });
});

test('the image has a pinned base, copies what there is, and does not run as root', async () => {
  const lines = (await readFile('Dockerfile', 'utf8')).split('\n').filter((line) => /^[A-Z]+ /.test(line));
  const bases = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? []);
  expect(bases.every((base) => /^[a-z]+:\d+/.test(base))).toBe(true);
  for (const line of lines.filter((one) => one.startsWith('COPY ') && !one.includes('--from')))
    for (const source of line.split(' ').slice(1, -1)) expect(existsSync(source), line).toBe(true);
  expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER node');
  // What the package has at run time.
  const { files } = JSON.parse(await readFile('package.json', 'utf8'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  for (const file of files.filter((name: string) => !name.startsWith('docs')))
    expect(
      last.some((line) => line.includes(file.replace('/*.yaml', ''))),
      file,
    ).toBe(true);
});

test('the GitLab template is YAML with a hidden job', async () => {
  const template = parse(await readFile('docs/templates/gitlab.yml', 'utf8'));
  expect(Object.keys(template)).toEqual(['.assay']);
  expect(template['.assay'].artifacts.reports).toEqual({
    junit: 'reports/ci/junit.xml',
    codequality: 'reports/ci/code-quality.json',
  });
});

const closed = (properties: Readonly<Record<string, unknown>>, ...optional: readonly string[]) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const list = (items: unknown) => ({ type: 'array', items, minItems: 1 });
/** Of a Job of Kubernetes, what the manifests use; the names are those of its API. */
const jobSchema = closed({
  apiVersion: { const: 'batch/v1' },
  kind: { const: 'Job' },
  metadata: closed({ name: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' } }),
  spec: closed(
    {
      completionMode: { const: 'Indexed' },
      completions: count,
      parallelism: count,
      backoffLimit: count,
      template: closed({
        spec: closed({
          restartPolicy: { enum: ['Never', 'OnFailure'] },
          securityContext: closed({ runAsNonRoot: { const: true }, runAsUser: count, fsGroup: count }),
          containers: list(
            closed({
              name: text,
              image: { type: 'string', pattern: ':[^:/]+$' },
              command: list(text),
              env: list(
                closed({
                  name: text,
                  valueFrom: closed({ configMapKeyRef: closed({ name: text, key: text }) }),
                }),
              ),
              envFrom: list(closed({ secretRef: closed({ name: text }) })),
              volumeMounts: list(
                closed({ name: text, mountPath: text, readOnly: { type: 'boolean' } }, 'readOnly'),
              ),
            }),
          ),
          volumes: list(
            closed(
              {
                name: text,
                configMap: closed({ name: text }),
                persistentVolumeClaim: closed({ claimName: text }),
              },
              'configMap',
              'persistentVolumeClaim',
            ),
          ),
        }),
      }),
    },
    'completionMode',
  ),
});

test('the manifests for Kubernetes are Jobs whose commands run each shard, and resume it', async () => {
  const [shards, verdict] = await Promise.all(
    ['shards', 'verdict'].map(async (name) =>
      parse(await readFile(`docs/templates/kubernetes-${name}.yaml`, 'utf8')),
    ),
  );
  const valid = new Ajv2020().compile(jobSchema);
  for (const job of [shards, verdict]) expect(valid(job), JSON.stringify(valid.errors)).toBe(true);
  const { completionMode, completions, parallelism, template } = shards.spec;
  expect([completionMode, completions]).toEqual(['Indexed', parallelism]);
  const here = await folder();
  // Stands for Node: it prints its arguments, and makes evidence where a run is named.
  await program(
    join(here, 'node'),
    `#!/bin/sh
shift; echo "$@"; [ "$2" = --resume ] || { mkdir -p "${here}/reports/r1/2"; touch "${here}/reports/r1/2/evidence.jsonl"; }
exit "$CODE"
`,
  );
  const start = (job: typeof shards, code: number): ReturnType<typeof bash> =>
    bash(job.spec.template.spec.containers[0].command[2].replaceAll('/reports', `${here}/reports`), here, {
      PATH: `${here}:${process.env['PATH']}`,
      ASSAY_RUN_ID: 'r1',
      JOB_COMPLETION_INDEX: '2',
      CODE: String(code),
    });
  const first = await start(shards, 3);
  expect(first).toEqual({
    code: 0,
    out: `run --config /config/harness.config.yaml --shard auto/${completions} --output ${here}/reports/r1 --run-name 2\n`,
  });
  expect(await start(shards, 2)).toEqual({ code: 1, out: `run --resume ${here}/reports/r1/2\n` });
  const last = await start(verdict, 1);
  expect(last.code).toBe(1);
  expect(last.out.split('\n')[1]).toBe(
    `merge ${here}/reports/r1/2 ${here}/reports/r1/last --out ${here}/reports/r1/merged`,
  );
  expect(template.spec.containers[0].image).toBe(verdict.spec.template.spec.containers[0].image);
});
