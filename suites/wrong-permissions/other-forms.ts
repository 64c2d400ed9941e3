import type { Contract, Operation } from '../../src/model/contract.ts';
import { bare } from '../../src/model/path.ts';
import type { Principal } from '../../src/model/principal.ts';
import type { Deviation, PathNoise, Scenario } from '../../src/model/scenario.ts';
import { type Refusal, refusals, type Scene } from '../../src/suite-kit/scene.ts';

/** Headers in which a client names another method than that of the request. */
const methodHeaders = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
const overrides = [...methodHeaders, 'X-Original-URL'];
const noises: readonly PathNoise[] = [
  'trailing-slash',
  'double-slash',
  'upper-case',
  'encoded',
  'dot-segment',
  'parameter',
];

function noisesOf({ path, pathFields }: Operation): readonly PathNoise[] {
  const inner = path.lastIndexOf('/') > 0;
  const named = pathFields.some(({ at }) => at === undefined);
  return [
    ...noises,
    ...(inner ? (['encoded-slash'] as const) : []),
    ...(named ? (['encoded-value'] as const) : []),
  ];
}

/** Headers in which gateways hand on to services what a caller may do. A client must not claim it. */
function claims({ permissions = [] }: Operation): readonly (readonly [string, string])[] {
  const names = ['X-Permissions', 'X-User-Permissions', 'X-Scopes', 'X-User-Scopes'];
  const roles = ['X-Role', 'X-Roles', 'X-User-Role', 'X-User-Roles'];
  return [
    ...names.map((name) => [name, permissions.join(' ')] as const),
    ...roles.map((name) => [name, 'admin'] as const),
    ...['X-Admin', 'X-Is-Admin'].map((name) => [name, 'true'] as const),
  ];
}

/** The refused request with a path in another form, and as what another method or path would be. */
export function otherForms(
  scene: Scene,
  { contract }: { readonly contract: Contract },
  outsider: Principal,
  lacks: Deviation,
): Scenario {
  const { operation } = scene;
  const as = outsider.name;
  const otherMethod = operation.method === 'GET' ? 'HEAD' : 'GET';
  return refusals(
    scene,
    'without the permission, with a path in another form, and with headers that name another method, path or role',
    [
      ...noisesOf(operation).map(
        (path): Refusal => ({ id: path, as, path, deviations: [lacks, { kind: 'path-noise' }] }),
      ),
      ...overrides.map(
        (header): Refusal => ({
          id: header,
          as,
          headers: [[header, header === 'X-Original-URL' ? '/' : otherMethod]],
          // A service that obeys looks for another operation, and a firewall in front of it may refuse the header.
          deviations: [lacks, { kind: 'path-noise' }, { kind: 'header-noise', header }],
        }),
      ),
      {
        id: 'claimed',
        as,
        headers: claims(operation),
        deviations: [
          lacks,
          { kind: 'path-noise' },
          ...claims(operation).map(([header]): Deviation => ({ kind: 'header-noise', header })),
        ],
      },
      ...tunnelled(contract, operation, outsider, lacks),
    ],
    { sameKey: true },
  );
}

/**
 * The command as a POST that names its method elsewhere: the guard may know nothing of such a POST, and the router obey. Where
 * the path has a POST of its own, or the caller may do anything, a success would prove nothing.
 */
function tunnelled(
  contract: Contract,
  { method, path }: Operation,
  { name, permissions }: Principal,
  lacks: Deviation,
): readonly Refusal[] {
  if (!['PUT', 'PATCH', 'DELETE'].includes(method) || permissions.length > 0) return [];
  const posts = contract.operations.filter((other) => other.method === 'POST');
  if (posts.some((other) => bare(other.path) === bare(path))) return [];
  const parts = { as: name, method: 'POST', deviations: [lacks, { kind: 'path-noise' }] } as const;
  return [
    { id: 'tunnelled', ...parts, headers: methodHeaders.map((header) => [header, method] as const) },
    { id: 'tunnelled-in-query', ...parts, query: [['_method', method]] },
  ];
}
