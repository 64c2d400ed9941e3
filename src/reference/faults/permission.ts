import { problem } from '../answer.ts';
import { conforming } from '../conforming.ts';
import { commit } from '../execute.ts';
import { headerValues } from '../message.ts';
import { moved } from '../phases.ts';
import type { SeededFault } from './fault.ts';
import { noteKey, occupied } from './occupied.ts';

const everyLack = 'PRM-1 PRM-3 PRM-4 PRM-6 PRM-7 PRM-8 PRM-9 PRM-10 PRE-2 PRE-4';

export const permissionFaults: readonly SeededFault[] = [
  {
    id: 'P01',
    describes: 'The permission is never checked.',
    breaks: 'PRM-1',
    also: `${everyLack} RDS-2 ERR-1 PRE-4`,
    change: { isGranted: () => true },
  },
  {
    id: 'P02',
    describes: 'A missing permission returns 401.',
    breaks: 'PRM-1',
    also: `${everyLack} RDS-2`,
    change: { refusePermission: () => problem(401, 'Who are you?') },
  },
  {
    id: 'P04',
    describes: "A prefix of a permission grants it: 'case' grants case.create.",
    breaks: 'PRM-3',
    also: 'ERR-1',
    change: { isGranted: (_, granted, required) => granted.some((name) => required.startsWith(name)) },
  },
  {
    id: 'P06',
    describes: 'Permissions are compared case-insensitively.',
    breaks: 'PRM-3',
    also: 'ERR-1',
    change: {
      isGranted: (_, granted, required) =>
        granted.some((name) => name.toLowerCase() === required.toLowerCase()),
    },
  },
  {
    id: 'P07',
    describes: 'A longer permission grants the shorter one: case.created grants case.create.',
    breaks: 'PRM-3',
    also: 'ERR-1',
    change: { isGranted: (_, granted, required) => granted.some((name) => name.startsWith(required)) },
  },
  {
    id: 'P08',
    describes: 'Wildcards are honoured: case.* grants case.create.',
    breaks: 'PRM-3',
    also: 'ERR-1',
    change: {
      isGranted: (_, granted, required) =>
        granted.some(
          (name) => name === required || (name.endsWith('*') && required.startsWith(name.slice(0, -1))),
        ),
    },
  },
  {
    id: 'P10',
    describes: 'An empty list of permissions grants everything.',
    breaks: 'PRM-1',
    also: `${everyLack} ERR-1`,
    change: {
      isGranted: (call, granted, required) =>
        granted.length === 0 || conforming.isGranted(call, granted, required),
    },
  },
  {
    id: 'P12',
    describes: 'Permissions are looked up by path: permission to list also grants creation.',
    breaks: 'PRM-4',
    also: 'PRM-1 PRM-6 PRM-8 PRM-10 PRE-2 ERR-1 PRE-4',
    change: {
      isGranted: (call, granted, required) =>
        conforming.isGranted(call, granted, required) ||
        call.service.contract.operations.some(
          (other) =>
            other.path === call.operation.path &&
            (other.permissions ?? []).some((name) => granted.includes(name)),
        ),
    },
  },
  {
    id: 'P13',
    describes: 'The scope of a record is not checked.',
    breaks: 'PRM-5',
    also: 'RDS-7 IDM-12 ERR-1',
    change: { reaches: () => true },
    operations: ['updateCase'],
  },
  {
    id: 'P62',
    describes: 'A header lets the caller choose its scope.',
    breaks: 'PRM-5',
    also: 'ERR-1',
    change: {
      reaches: (call, record) =>
        headerValues(call.request, 'X-Tenant-Id').includes(record.scope) || conforming.reaches(call, record),
    },
    operations: ['updateCase'],
  },
  {
    id: 'P66',
    describes: 'The refusal of a record of another scope shows it.',
    breaks: 'PRM-5',
    also: 'RDS-7',
    change: {
      refuseTarget: ({ pathValues, service }) => {
        const found = Object.values(pathValues).map((id) => service.records.find(id)?.fields);
        return problem(404, 'There is no such record.', { members: { found: found[0] ?? null } });
      },
    },
    operations: ['updateCase'],
  },
  {
    id: 'P63',
    describes: 'A filtered list requires no permission.',
    breaks: 'PRM-1 RDS-2',
    also: 'ERR-1',
    change: {
      isGranted: (call, granted, required) =>
        call.request.query.has('status') || conforming.isGranted(call, granted, required),
    },
    operations: ['listCases'],
  },
  {
    id: 'P15',
    describes: 'The permission is checked after the record is written.',
    breaks: 'PRM-6',
    also: 'PRM-1 PRM-3 PRM-4 PRE-4',
    change: {
      onRefusal: (call, refused) => {
        if (refused.status === 403 && call.operation.kind === 'command') commit(call);
      },
    },
  },
  {
    id: 'P16',
    describes: 'A 403 uses up its key.',
    breaks: 'PRM-6',
    change: { onRefusal: noteKey(403), claim: occupied },
  },
  {
    id: 'P17',
    describes: 'A stored result is returned before the permission is checked.',
    breaks: 'PRM-8',
    also: 'PRM-10 PRE-2 PRE-3 IDM-12 ERR-1',
    change: {
      order: moved(['authorise'], 'validate'),
      keySpace: ({ principal }) => principal?.scope ?? '',
    },
  },
  {
    id: 'P18',
    describes: 'X-HTTP-Method-Override bypasses the permission check.',
    breaks: 'PRM-9',
    also: 'PRM-1 ERR-1',
    change: {
      requiredPermissions: (call) =>
        headerValues(call.request, 'X-HTTP-Method-Override').length > 0
          ? []
          : conforming.requiredPermissions(call),
    },
  },
  {
    id: 'P20',
    describes: 'Only every second request without the permission is refused.',
    breaks: 'PRM-7',
    also: 'PRM-10 PRM-1 PRM-3 PRM-4 PRM-6 PRM-8 PRM-9 PRE-2 PRE-4 ERR-1',
    change: {
      isGranted: (call, granted, required) => {
        if (conforming.isGranted(call, granted, required)) return true;
        const { notes } = call.service;
        const note = `refused ${required} to ${call.principal?.name}`;
        const before = notes.get(note) === true;
        notes.set(note, !before);
        return before;
      },
    },
  },
  {
    id: 'P60',
    describes: 'A caller with only one permission is refused.',
    breaks: 'PRM-2',
    change: {
      isGranted: (call, granted, required) =>
        !(call.operation.id === 'getCase' && granted.length === 1) &&
        conforming.isGranted(call, granted, required),
    },
    operations: ['getCase'],
  },
  {
    id: 'P61',
    describes: 'A withdrawn permission still grants access.',
    breaks: 'PRM-10',
    also: 'PRM-8 PRE-2 ERR-1',
    change: {
      isGranted: (call, _, required) => call.principal?.permissions.includes(required) === true,
    },
  },
  {
    id: 'P64',
    describes: 'A list checks the permission on its first page only.',
    breaks: 'RDS-2',
    also: 'PRM-1 PRE-2 ERR-1',
    change: {
      requiredPermissions: (call) =>
        call.request.query.has(call.operation.pagination?.cursor ?? 'cursor')
          ? []
          : conforming.requiredPermissions(call),
    },
    operations: ['listCases'],
  },
  {
    id: 'P65',
    describes: 'A list requires a second permission that is not published.',
    breaks: 'PRM-2',
    change: {
      requiredPermissions: (call) => [
        ...conforming.requiredPermissions(call),
        ...(call.operation.id === 'listCases' ? ['case.update'] : []),
      ],
    },
    operations: ['listCases'],
  },
];
